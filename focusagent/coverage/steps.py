"""Steps with a known need, from a JSON-lines file or from the result folder of any AgentLab agent."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from focusagent.axtree import AxTree, LineRanges
from focusagent.coverage.recorded import steps_of_results
from focusagent.coverage.step import Step
from focusagent.errors import UserError
from focusagent.observation import drop_inline_text_boxes


class UnreadableSteps(UserError, ValueError):
    """The file or folder does not hold steps; the text names the place."""


def read_steps(path: Path, left_out: Callable[[str], None] = lambda _: None) -> list[Step]:
    """Steps of a `.jsonl[.gz]` file or of a folder of results. Raises UnreadableSteps, naming file and line; damage in
    a folder of results costs single steps, of which `left_out` is told."""
    if not path.exists():
        raise UnreadableSteps(f"{path}: no such file or folder", 2)
    steps = list(steps_of_results(path, left_out) if path.is_dir() else _from_lines(path))
    if not steps:
        raise UnreadableSteps(f"{path}: no step with an element acted on, needed lines or answer texts")
    return steps


def spread(steps: list[Step], limit: int | None) -> list[Step]:
    """At most `limit` steps, evenly spaced, so that the templates of a sorted file all have a part."""
    if limit is None or limit >= len(steps):
        return steps
    return [steps[index * len(steps) // limit] for index in range(limit)]


def _from_lines(path: Path) -> Iterator[Step]:
    opener = gzip.open if path.suffix == ".gz" else open
    try:
        with opener(path, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield _from_json(line, f"{path}, line {number}")
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise UnreadableSteps(f"{path}: {error}") from error


def _from_json(line: str, place: str) -> Step:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UnreadableSteps(f"{place}: not JSON ({error})") from error
    if not isinstance(record, dict):
        raise UnreadableSteps(f"{place}: not an object")
    for key in ("goal", "axtree"):
        if not isinstance(record.get(key), str):
            raise UnreadableSteps(f"{place}: {key!r} must be a text")
    needs = [key for key in ("target_id", "needed", "target_texts") if record.get(key) not in (None, "", [])]
    if len(needs) != 1:
        raise UnreadableSteps(
            f"{place}: needs one of target_id, needed, target_texts, has {', '.join(needs) or 'none'}"
        )
    try:
        return _step(record)
    except (TypeError, ValueError, OverflowError) as error:
        raise UnreadableSteps(f"{place}: {error}") from error


def _step(record: Mapping[str, Any]) -> Step:
    needed, texts, axtree = record.get("needed") or [], record.get("target_texts") or [], record["axtree"]
    if not isinstance(needed, list) or not isinstance(texts, list):
        raise TypeError("needed and target_texts must be lists")
    if any(not isinstance(text, str) or not text.strip() for text in texts):
        raise TypeError("target_texts must hold texts, none empty")
    ranges = LineRanges.of(_pair(entry) for entry in needed)
    target = record.get("target_id")
    step = Step(
        goal=record["goal"],
        axtree=drop_inline_text_boxes(axtree),
        target_id="" if target is None else str(target),
        needed=_renumber(ranges, axtree),
        target_texts=tuple(texts),
        history=tuple(_exchange(entry) for entry in record.get("history") or ()),
        **{key: str(record.get(key) or "") for key in ("task_id", "outcome", "action_error", "source", "site")},
    )
    if step.target_id and step.target_id not in AxTree.parse(step.axtree).by_bid:
        raise ValueError(f"target_id {step.target_id!r} is not on the page")
    return step


def _pair(entry: Any) -> tuple[int, int]:
    first, last = entry if isinstance(entry, list) else (entry, entry)
    if not all(type(number) is int for number in (first, last)):
        raise TypeError(f"needed must hold line numbers, not {entry!r}")
    return first, last


def _exchange(entry: Any) -> tuple[str, str]:
    """A past step as (thought, action), given as a pair, a bare action or an object."""
    match entry:
        case str():
            return "", entry
        case {"action": action}:
            return str(entry.get("thought") or entry.get("think") or ""), str(action)
        case [thought, action]:
            return str(thought or ""), str(action)
    raise ValueError(f"history entry {str(entry)[:60]!r} is neither an action nor a (thought, action) pair")


def _renumber(ranges: LineRanges, axtree: str) -> LineRanges:
    """Needed lines counted without the InlineTextBox lines, which are dropped before anything is counted."""
    lines = axtree.split("\n")
    if ranges and (ranges.pairs[0][0] < 1 or ranges.pairs[-1][1] > len(lines)):
        raise ValueError(f"needed lines reach outside 1..{len(lines)}")
    gone = [number for number, line in enumerate(lines, 1) if not drop_inline_text_boxes(line) and line]
    if not gone:
        return ranges
    dropped = LineRanges.of_numbers(gone)
    kept = {number: new for new, number in enumerate(dropped.complement(len(lines)), 1)}
    return LineRanges.of_numbers(kept[number] for number in ranges if number in kept)
