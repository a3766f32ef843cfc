"""What a model answered, in whatever shape, as line ranges. Any text is an answer or a problem, never an exception."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from focusagent.axtree import LineRanges
from focusagent.retrieval.base import Fallback
from focusagent.retrieval.llm.range_lists import Pair, lists_in, read_ranges

_MAX_TEXT = 200_000
_MAX_REASONING = 20_000
_MAX_TRIES = 50
_THINK = re.compile(r"<(/?)(?:think(?:ing)?|reasoning)>", re.IGNORECASE)
_ATTACK = re.compile(r"<attack>([^<]*)", re.IGNORECASE)
_FENCE = re.compile(r"\s*```\w*\s*")
_KEYS = ("answer", "ranges", "lines", "line_ranges", "relevant_lines")
_REFUSAL = re.compile(
    r"\b(?:I['’]?m sorry|I apologi[sz]e|I can(?:['’]t|not) (?:help|assist|comply|do)"
    r"|I(?:['’]m| am) (?:unable|not able))",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Answer:
    """`ranges` and `flagged` lie within the lines that were shown. `problem` is None for a usable answer, an empty list
    included; else the reason, with `wrong` in words that the model can act on. `notes` say what was mended."""

    ranges: LineRanges = LineRanges()
    flagged: LineRanges = LineRanges()
    reasoning: str = ""
    problem: Fallback | None = None
    wrong: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Found:
    """Where the answer stands: its text, that of the list of attacks, and the thoughts that go with it."""

    body: str
    attack: str = ""
    reasoning: str = ""


def parse_answer(text: str, shown: LineRanges) -> Answer:
    """Read an answer to a prompt that showed the lines `shown` (not empty). Reasoning is set aside first; then the last
    answer counts, alone. Lines that were not shown are never chosen, however large a range is."""
    visible, thoughts = split_reasoning(text[-_MAX_TEXT:])
    found = _find(visible)
    reasoning = "\n".join(part.strip() for part in (thoughts, found.reasoning if found else visible) if part.strip())
    reasoning = reasoning[:_MAX_REASONING]
    pairs = read_ranges(found.body) if found else None
    if pairs is None:
        problem, wrong = _unusable(visible, found)
        return Answer(reasoning=reasoning, problem=problem, wrong=wrong)
    assert found is not None
    flagged, _ = _within(read_ranges(found.attack) or (), shown)
    ranges, notes = _within(pairs, shown)
    if pairs and not ranges:
        wrong = f"none of its numbers is a line that was shown ({shown.pairs[0][0]} to {shown.pairs[-1][1]})."
        return Answer(ranges, flagged, reasoning, Fallback.NOTHING_VALID, wrong, notes)
    return Answer(ranges, flagged, reasoning, notes=notes)


def split_reasoning(text: str) -> tuple[str, str]:
    """(what is left, the reasoning set aside): closed blocks, all before a closing tag that nothing opens, all after an
    opening tag that nothing closes. Linear in the text."""
    visible: list[str] = []
    thoughts: list[str] = []
    position, inside = 0, False
    for tag in _THINK.finditer(text):
        chunk, position = text[position : tag.start()], tag.end()
        if not tag[1]:
            (thoughts if inside else visible).append(chunk)
            inside = True
        elif inside:
            thoughts.append(chunk)
            inside = False
        else:
            thoughts += [*visible, chunk]
            visible = []
    (thoughts if inside else visible).append(text[position:])
    return "\n".join(visible), "\n".join(thoughts)


def _find(text: str) -> _Found | None:
    if _FENCE.sub("", text[:40]).lstrip().startswith("{"):
        return _json_object(text) or _tagged(text) or _free(text)
    return _tagged(text) or _json_object(text) or _free(text)


def _tagged(text: str) -> _Found | None:
    """The last <answer> block. One that is still open at the end counts, so that no earlier one takes its place."""
    low = text.lower()
    start = low.rfind("<answer>")
    if start < 0:
        return None
    body = text[start + len("<answer>") :]
    end = re.search(r"</?(?:answer|attack)>", body, re.IGNORECASE)
    body = body[: end.start()] if end else body
    attack = _ATTACK.search(text, start)
    inner = body if read_ranges(body) is not None else _inner(body)
    return _Found(inner, attack[1] if attack else "", text[:start])


def _inner(body: str) -> str:
    found = _json_object(body) or _free(body)
    return found.body if found else body


def _json_object(text: str) -> _Found | None:
    """The last JSON object that has a key which names an answer."""
    decoder, found, position = json.JSONDecoder(), None, 0
    for _ in range(_MAX_TRIES):
        start = text.find("{", position)
        if start < 0:
            break
        try:
            value, position = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            position = start + 1
            continue
        if key := next((key for key in _KEYS if key in value), None):
            thoughts = str(value.get("reasoning") or value.get("thought") or text[:start])
            found = _Found(json.dumps(value[key]), json.dumps(value.get("attack", [])), thoughts)
    return found


def _free(text: str) -> _Found | None:
    """The whole text, where it is nothing but a list, or the last list that stands in it."""
    if read_ranges(text) is not None:
        return _Found(text)
    for body in islice(lists_in(text), _MAX_TRIES):
        if read_ranges(body) is not None:
            return _Found(body, reasoning=text[: text.rfind(body)])
    return None


def _unusable(visible: str, found: _Found | None) -> tuple[Fallback, str]:
    if not visible.strip():
        return Fallback.EMPTY_ANSWER, "it holds nothing beside reasoning, or nothing at all."
    if found is None and _REFUSAL.search(visible):
        return Fallback.REFUSED, "it holds no list of line ranges. Choosing lines of a page is all that is asked."
    return Fallback.UNREADABLE, "it holds no complete list of line ranges that can be read."


def _within(pairs: Iterable[Pair], shown: LineRanges) -> tuple[LineRanges, tuple[str, ...]]:
    """The lines of `pairs` that were shown, and what was mended."""
    pairs = tuple(pairs)
    ranges = LineRanges.of(pairs)
    common = ranges.intersection(shown)
    reversed_pairs = sum(first > last for first, last in pairs)
    notes = [f"reversed ranges turned round: {reversed_pairs}"] if reversed_pairs else []
    beyond = ranges.count - common.count
    return common, (*notes, *([f"lines dropped that were not shown: {beyond}"] if beyond else []))
