"""Steps with a known need, from a JSON-lines file or from the result folder of any AgentLab agent."""

from __future__ import annotations

import gzip
import json
import pickle
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from focusagent.axtree import AxTree, LineRanges
from focusagent.errors import UserError
from focusagent.observation import drop_inline_text_boxes

_SEED = re.compile(r"(?:__seed|[._]seed|[-_.])\d+$")
_TARGET = re.compile(r"^\s*\w+\(\s*(?:bid\s*=\s*)?['\"]([A-Za-z0-9]+)['\"]\s*[,)]")


class UnreadableSteps(UserError, ValueError):
    """The file or folder does not hold steps; the text names the place."""


@dataclass(frozen=True)
class Step:
    """One observation and what the agent needed on it. Just one of `target_id`, `needed` and `target_texts` is set.

    `needed` counts lines of `axtree`. `history` holds (thought, action) pairs, oldest first. The action taken is not
    here: it is the answer, and no retriever may see it."""

    goal: str
    axtree: str
    target_id: str = ""
    needed: LineRanges = LineRanges()
    target_texts: tuple[str, ...] = ()
    task_id: str = ""
    outcome: str = ""
    action_error: str = ""
    source: str = ""
    history: tuple[tuple[str, str], ...] = field(default=())

    @property
    def template(self) -> str:
        """The cluster of the step: the task without its seed, the goal where there is no task."""
        return _SEED.sub("", self.task_id) if self.task_id else self.goal

    @property
    def clean(self) -> bool:
        """Whether the episode succeeded and the action raised no error."""
        return self.outcome == "success" and not self.action_error


def read_steps(path: Path) -> list[Step]:
    """Steps of a `.jsonl[.gz]` file or of a folder of results. Raises UnreadableSteps, naming file and line."""
    if not path.exists():
        raise UnreadableSteps(f"{path}: no such file or folder")
    steps = list(_from_results(path) if path.is_dir() else _from_lines(path))
    if not steps:
        raise UnreadableSteps(f"{path}: no step with an element acted on, needed lines or answer texts")
    return steps


def _from_lines(path: Path) -> Iterator[Step]:
    opener = gzip.open if path.suffix == ".gz" else open
    try:
        with opener(path, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield _from_json(line, f"{path}, line {number}")
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise UnreadableSteps(f"{path}: {error}") from error


def _from_json(line: str, place: str) -> Step:
    try:
        record = json.loads(line)
    except json.JSONDecodeError as error:
        raise UnreadableSteps(f"{place}: not JSON ({error})") from error
    if not isinstance(record, dict):
        raise UnreadableSteps(f"{place}: not an object")
    for key in ("goal", "axtree"):
        if not isinstance(record.get(key), str):
            raise UnreadableSteps(f"{place}: {key!r} must be a text")
    needs = [key for key in ("target_id", "needed", "target_texts") if record.get(key)]
    if len(needs) != 1:
        raise UnreadableSteps(
            f"{place}: needs one of target_id, needed, target_texts, has {', '.join(needs) or 'none'}"
        )
    try:
        return _step(record)
    except (TypeError, ValueError) as error:
        raise UnreadableSteps(f"{place}: {error}") from error


def _step(record: Mapping[str, Any]) -> Step:
    needed, axtree = record.get("needed") or (), record["axtree"]
    ranges = LineRanges.of(_pair(entry) for entry in needed)
    target = record.get("target_id")
    step = Step(
        goal=record["goal"],
        axtree=drop_inline_text_boxes(axtree),
        target_id="" if target is None else str(target),
        needed=_renumber(ranges, axtree),
        target_texts=tuple(str(text) for text in record.get("target_texts") or ()),
        history=tuple(_exchange(entry) for entry in record.get("history") or ()),
        **{key: str(record.get(key) or "") for key in ("task_id", "outcome", "action_error", "source")},
    )
    if step.target_id and step.target_id not in AxTree.parse(step.axtree).by_bid:
        raise ValueError(f"target_id {step.target_id!r} is not on the page")
    return step


def _pair(entry: Any) -> tuple[int, int]:
    first, last = entry if isinstance(entry, list) else (entry, entry)
    return int(first), int(last)


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


def _from_results(folder: Path) -> Iterator[Step]:
    for arguments in sorted(folder.rglob("exp_args.pkl")):
        yield from _from_episode(arguments.parent)


def _from_episode(folder: Path) -> Iterator[Step]:
    infos = [_unpickle(path) for path in sorted(folder.glob("step_*.pkl.gz"), key=_step_number)]
    task = str(getattr(getattr(_unpickle(folder / "exp_args.pkl"), "env_args", None), "task_name", ""))
    done = bool(infos) and sum(getattr(info, "reward", 0) or 0 for info in infos) > 0
    history: list[tuple[str, str]] = []
    for info, after in zip(infos, [*infos[1:], None], strict=True):
        observation, action = info.obs or {}, info.action or ""
        tree = drop_inline_text_boxes(observation.get("axtree_txt") or "")
        target = _TARGET.match(action)
        if target and target[1] in AxTree.parse(tree).by_bid:
            error = ((after.obs or {}).get("last_action_error") or "") if after else ""
            yield Step(
                goal=_goal_text(observation),
                axtree=tree,
                target_id=target[1],
                task_id=task,
                outcome="success" if done else "failure",
                action_error=error,
                source=folder.parent.name,
                history=tuple(history),
            )
        history.append((str((info.agent_info or {}).get("think") or ""), action))


def _goal_text(observation: Mapping[str, Any]) -> str:
    """BrowserGym's goal: a text, or a list of chat messages with text parts."""
    goal = observation.get("goal_object") or observation.get("goal") or ""
    if isinstance(goal, str):
        return goal
    return "\n".join(str(part.get("text", "")) for part in goal if part.get("type") == "text")


def _step_number(path: Path) -> int:
    return int(re.sub(r"\D", "", path.name) or 0)


def _unpickle(path: Path) -> Any:
    opener = gzip.open if path.suffix == ".gz" else open
    try:
        with opener(path, "rb") as file:
            return pickle.load(file)
    except Exception as error:
        raise UnreadableSteps(f"{path}: {error}") from error
