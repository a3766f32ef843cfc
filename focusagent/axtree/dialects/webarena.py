"""WebArena's form: `TAB[12] link 'Name' focused: True`, under a line of tabs; AgentOccam's `TABlink [12] 'Name'`.

Names are `repr()`-ed as in BrowserGym's, so a page cannot end a line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import count

from focusagent.axtree.dialects.base import Dialect, Properties, Reading, element, is_gap, words
from focusagent.axtree.line import QUOTED, AxLine, ForeignLine, unquote
from focusagent.axtree.ranges import LineRanges

_NODE = re.compile(
    rf"(\s*)(?:\[([A-Za-z0-9]+)\](?: ([A-Za-z]+))?|([A-Za-z]+)(?: \[([A-Za-z0-9]+)\])?)(?: ({QUOTED}))?", re.DOTALL
)
_PROPERTY = re.compile(rf" \[?([A-Za-z]+): ({QUOTED}|[^\s\]]*)\]?", re.DOTALL)
_TABS = re.compile(r"Tab \d+")
_FLAGS = frozenset(("focused", "required"))
_NUMBERED = ("True", "False")


def fits(text: str) -> bool:
    """Stricter than reading: what follows the name is properties and nothing else."""
    match = _NODE.match(text)
    return match is not None and match[6] is not None and not _PROPERTY.sub("", text[match.end() :])


def read(lines: Sequence[str]) -> Reading:
    """A line of tabs and the blank line after it are no part of the page."""
    first = next((index for index, text in enumerate(lines) if fits(text)), 0)
    above = first if _TABS.match(lines[0]) else 0
    found = [words(number, text) if number <= above else one(number, text) for number, text in zip(count(1), lines)]
    unread = (number for number in range(above + 1, len(lines) + 1) if not _reads(lines[number - 1]))
    fixed = LineRanges.of([(1, above)] if above else [])
    return Reading(tuple(found), fixed=fixed, unread=LineRanges.of_numbers(unread), root=above + 1)


def _reads(text: str) -> bool:
    return not text.strip() or is_gap(text) or _NODE.match(text) is not None


def one(number: int, text: str) -> ForeignLine:
    match = _NODE.match(text)
    if match is None:
        return words(number, text, len(text) - len(text.lstrip("\t")))
    indent, bid, role, other_role, other_bid, name = match.groups()
    properties = dict(_properties(text[match.end() :]))
    return element(
        number,
        text,
        len(indent),
        bid or other_bid or "",
        role or other_role or "",
        unquote(name) if name else "",
        properties,
    )


def _properties(tail: str) -> Iterator[tuple[str, str]]:
    for name, value in _PROPERTY.findall(tail):
        if value[:1] in ("'", '"'):
            value = unquote(value)
        if name in _FLAGS and value in _NUMBERED:
            if value == "True":
                yield name, ""
        else:
            yield name, value


def write(line: AxLine, bid: str, role: str, label: str, properties: Properties) -> str:
    states = "".join(f" {name}: {value or 'True'}" for name, value in properties.items())
    match = _NODE.match(line.text)
    parts = (f"[{bid}]" if bid else "", role)
    named = " ".join(part for part in (parts[::-1] if match and match[4] else parts) if part)
    return "\t" * line.depth + named + (f" '{label}'" if label else "") + states


def gap(depth: int, words: str) -> str:
    return "\t" * depth + words


def edit(text: str, changes: Properties) -> str:
    match = _NODE.match(text)
    if match is None:
        return text
    head, tail = text[: match.end()], text[match.end() :]

    def changed(found: re.Match[str]) -> str:
        if found[1] not in changes:
            return found[0]
        value = changes[found[1]]
        quoted = repr(value) if found[2][:1] in ("'", '"') else value
        return found[0].replace(found[2], quoted, 1) if value else ""

    return head + _PROPERTY.sub(changed, tail)


WEBARENA = Dialect("webarena", fits, read, one, write, gap, edit)
