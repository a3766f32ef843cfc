"""BrowserGym's own form: `TAB[12] link 'Name', clickable, url='...'`. All others are read into its words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import count

from focusagent.axtree.dialects.base import Dialect, Properties, Reading
from focusagent.axtree.line import QUOTED, AxLine, parse_line

_STRICT = re.compile(rf"\s*(?:\[[A-Za-z0-9]+\] )?[A-Za-z]+ (?:{QUOTED})(?:$|, | value=)", re.DOTALL)
_NAMELESS = re.compile(r"\s*\[[A-Za-z0-9]+\] [A-Za-z]+(?:$|, )")


def fits(text: str) -> bool:
    return bool(_STRICT.match(text) or _NAMELESS.match(text))


def read(lines: Sequence[str]) -> Reading:
    return Reading(tuple(map(parse_line, lines, count(1))))


def one(number: int, text: str) -> AxLine:
    return parse_line(text, number)


def write(line: AxLine, bid: str, role: str, label: str, properties: Properties) -> str:
    parts = (f"[{bid}]" if bid else "", role, f"'{label}'" if label else "")
    head = "\t" * line.depth + " ".join(part for part in parts if part)
    return ", ".join([head, *(_written(name, value) for name, value in properties.items())])


def _written(name: str, value: str) -> str:
    if not value:
        return name
    return f"{name}={value if value in ('True', 'False') else repr(value)}"


def gap(depth: int, words: str) -> str:
    return "\t" * depth + words


def edit(text: str, changes: Properties) -> str:
    return text  # simplification edits BrowserGym's lines as they stand


BROWSERGYM = Dialect("browsergym", fits, read, one, write, gap, edit)
