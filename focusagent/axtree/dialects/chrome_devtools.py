"""chrome-devtools-mcp's snapshot: `uid=1_23 button "Name" expandable url="..."`, indented by two spaces.

The server escapes nothing: a name or a value may hold quotes and line feeds. So a line is an element only where it
follows from the lines before it: what continues an open quote, stands beside the root, or breaks the order in which
the server counts its uids is text of the element above it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence

from focusagent.axtree.dialects.base import Dialect, Properties, Reading, attached, element, is_gap, words
from focusagent.axtree.line import AxLine, ForeignLine
from focusagent.axtree.ranges import LineRanges

_HEAD = re.compile(r'( *)uid=((\d{1,9})_(\d{1,9}))(?: ([A-Za-z]\w*))?(?= "| [a-z\[]|$)')
_ATTRIBUTE = re.compile(r' (?:([a-z][A-Za-z]*)="|([a-z][A-Za-z]*)(?= |$))')
_SELECTED = " [selected in the DevTools Elements panel]"
_SNAPSHOT = "## Latest page snapshot"
_STATES = {
    "focused": ("focused", ""),
    "disabled": ("disabled", "True"),
    "expanded": ("expanded", "True"),
    "checked": ("checked", "true"),
    "pressed": ("pressed", "true"),
    "selected": ("selected", "True"),
    "required": ("required", ""),
}
_UNSTATED = {"expandable": ("expanded", "False")}
_RENAMED = {"haspopup": "hasPopup"}
_SILENT = frozenset(("disableable", "focusable", "selectable"))
_REPEATED = "InlineTextBox"


def fits(text: str) -> bool:
    return _HEAD.match(text) is not None


def read(lines: Sequence[str]) -> Reading:
    begin = next((index + 1 for index, text in enumerate(lines) if text == _SNAPSHOT), 0)
    starts = _starts(lines, begin)
    if not begin and starts:
        begin = starts[0]
    end = _end(lines, starts)
    found = [words(number, lines[number - 1]) for number in range(1, (starts[0] if starts else len(lines)) + 1)]
    owners: dict[int, int] = {}
    uids = Counter(_uid(lines[start]) for start in starts)
    unread = []
    for start, stop in zip(starts, [*starts[1:], end], strict=False):
        own = next((index for index in range(start + 1, stop) if is_gap(lines[index])), stop)
        line = _element(start + 1, lines[start], lines[start + 1 : own])
        if line.bid and uids[line.bid] > 1:
            unread.append(line.number)
            line = line.changed(bid="")
        found.append(line)
        for number in range(start + 2, own + 1):
            found.append(attached(number, lines[number - 1], line.depth + 1, "/text"))
            owners[number] = start + 1
        found.extend(words(number, lines[number - 1], line.depth) for number in range(own + 1, stop + 1))
    found.extend(words(number, lines[number - 1]) for number in range(len(found) + 1, len(lines) + 1))
    fixed = LineRanges.of([(begin + 1, end)] if begin < end else []).complement(len(lines))
    return Reading(tuple(found), owners, fixed, LineRanges.of_numbers(unread), starts[0] + 1 if starts else 1)


def _end(lines: Sequence[str], starts: Sequence[int]) -> int:
    """How many lines the snapshot and what comes before it have: what follows the last element is another section of
    the answer, unless a quote is open."""
    if not starts:
        return len(lines)
    last = starts[-1]
    match = _HEAD.match(lines[last])
    if match and _is_open(lines[last][match.end() :]):
        return min(_next_closing(lines)[last + 1] + 1, len(lines))
    return last + 1


def _uid(text: str) -> str:
    match = _HEAD.match(text)
    return match[2] if match and match[5] != _REPEATED else ""


def _starts(lines: Sequence[str], begin: int) -> list[int]:
    """Indexes of the lines that are elements."""
    closing = _next_closing(lines)
    candidates: list[tuple[int, int, int]] = []
    repeated: list[int] = []
    index, below_root = begin, False
    while index < len(lines):
        match = _HEAD.match(lines[index])
        at = len(match[1]) if match else 0
        if match is None or at % 2 or (at == 0 and below_root):
            index += 1
            continue
        below_root = below_root or at == 0
        if match[5] != _REPEATED:
            candidates.append((index, int(match[3]), int(match[4])))
        else:
            repeated.append(index)
        if _is_open(lines[index][match.end() :]) and closing[index + 1] < len(lines):
            index = closing[index + 1]
        index += 1
    return sorted([*_in_order(candidates), *repeated])


def _in_order(candidates: Sequence[tuple[int, int, int]]) -> list[int]:
    """The candidates without those that break the server's count. It numbers the elements that it has not met before
    in the order of the page; those it knows keep the uid that they had."""
    newest = max((snapshot for _, snapshot, _ in candidates), default=0)
    fresh = [(index, count) for index, snapshot, count in candidates if snapshot == newest]
    tops: list[int] = []
    length = []
    for _, count in fresh:
        place = bisect_left(tops, count)
        tops[place : place + 1] = [count]
        length.append(place)
    kept, wanted = set[int](), len(tops) - 1
    limit = float("inf")
    for (index, count), place in zip(reversed(fresh), reversed(length), strict=True):
        if place == wanted and count < limit:
            kept.add(index)
            wanted, limit = wanted - 1, count
    return [index for index, snapshot, _ in candidates if snapshot != newest or index in kept]


def _next_closing(lines: Sequence[str]) -> list[int]:
    """For each index the first line from it on that ends a quote, the number of lines where none does."""
    after = [len(lines)] * (len(lines) + 1)
    for index in range(len(lines) - 1, -1, -1):
        after[index] = index if _without_attributes(lines[index])[0].endswith('"') else after[index + 1]
    return after


def _is_open(tail: str) -> bool:
    """Whether a quote that begins in what follows uid and role does not end on the line."""
    rest = _without_attributes(tail.removesuffix(_SELECTED))[0]
    return '"' in rest and not (rest.startswith(' "') and rest.endswith('"') and len(rest) > 2)


def _without_attributes(text: str) -> tuple[str, list[tuple[str, str]]]:
    """The text before the attributes that end it, and these: (name, value), a flag with the value "". A value ends at
    the last quote before what follows it, since quotes in it are not escaped."""
    end = len(text)
    found = []
    for match in reversed(list(_ATTRIBUTE.finditer(text))):
        if match[1] and text[end - 1] == '"' and match.end() < end:
            found.append((match[1], text[match.end() : end - 1]))
        elif match[2] and match.end() == end:
            found.append((match[2], ""))
        else:
            break
        end = match.start()
    if end and text[end - 1] != '"':
        return text, []  # what looked like attributes ends a text whose quote is open
    return text[:end], found[::-1]


def _element(number: int, text: str, more: Sequence[str]) -> ForeignLine:
    match = _HEAD.match(text)
    assert match is not None  # `_starts` gives no other
    role = match[5] or "StaticText"
    whole = "\n".join([text[match.end() :], *more]).removesuffix(_SELECTED)
    name, attributes = _without_attributes(whole)
    name = name.strip("\n").removeprefix(" ").removeprefix('"').removesuffix('"')
    depth = len(match[1]) // 2
    bid = "" if role == _REPEATED else match[2]
    return element(number, text, depth, bid, "none" if role == "ignored" else role, name, dict(_states(attributes)))


def one(number: int, text: str) -> AxLine:
    first, *more = text.split("\n")
    return _element(number, first, more).changed(text=text) if fits(first) else words(number, text)


def _states(attributes: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The attributes in BrowserGym's words; `expandable` alone says that it is not expanded."""
    for name, value in attributes:
        if value:
            yield _RENAMED.get(name, name), value
        elif name in _UNSTATED:
            yield _UNSTATED[name]
        elif name in _STATES:
            yield _STATES[name]
        elif name not in _SILENT:
            yield name, ""


def write(line: AxLine, bid: str, role: str, label: str, properties: Properties) -> str:
    if not fits(line.text):
        return label or role
    flags = (name for name, value in properties.items() if name in _STATES and value not in ("False", "false"))
    role = "" if role == "StaticText" and label else role or "element"
    parts = (f"uid={bid}" if bid else "", role, f'"{label}"' if label else "", *flags)
    return "  " * line.depth + " ".join(part for part in parts if part)


def gap(depth: int, words: str) -> str:
    return "  " * depth + words


def edit(text: str, changes: Properties) -> str:
    head, attributes = _without_attributes(text)
    kept = [(name, changes.get(_RENAMED.get(name, name), value)) for name, value in attributes]
    dropped = {name for name, value in attributes if value and not dict(kept)[name]}
    shown = (f'{name}="{value}"' if value else name for name, value in kept if name not in dropped)
    return " ".join([head, *shown])


CHROME_DEVTOOLS = Dialect("chrome-devtools", fits, read, one, write, gap, edit)
