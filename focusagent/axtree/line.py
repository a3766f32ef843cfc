"""One line of an accessibility tree, and how BrowserGym writes one."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import NamedTuple

QUOTED = r"""'[^'\\]*(?:\\.[^'\\]*)*'|"[^"\\]*(?:\\.[^"\\]*)*\""""
_LINE = re.compile(rf"(\s*)(?:\[([A-Za-z0-9]+)\](?: |$))?([^\s,]*)(?: ({QUOTED}))?", re.DOTALL)
_BARE_VALUE = re.compile(r"True|False|-?\d{1,18}")


class AxLine(NamedTuple):
    """One line of the tree.

    `bid` names the element for an action, whatever the dialect calls it (bid, ref, uid, index); "" where there is none.
    `name` is what the line says, free of quotes and escapes. `text` is the line as received."""

    number: int
    depth: int
    bid: str
    role: str
    name: str
    text: str

    @property
    def reading(self) -> str:
        """The line as BrowserGym prints it: what reads properties and states reads this, never `text`."""
        return self.text

    def numbered(self, number: int) -> AxLine:
        """The same line elsewhere in a tree."""
        return self._replace(number=number)


class ForeignLine(AxLine):
    """A line that is not BrowserGym's; its `reading` says the same in BrowserGym's words, without the bid."""

    _reading: str

    def __new__(
        cls, number: int, depth: int, bid: str, role: str, name: str, text: str, reading: str = ""
    ) -> ForeignLine:
        line = super().__new__(cls, number, depth, bid, role, name, text)
        line._reading = reading
        return line

    @property
    def reading(self) -> str:
        return self._reading

    def numbered(self, number: int) -> AxLine:
        return self.changed(number)

    def changed(
        self, number: int | None = None, bid: str | None = None, text: str | None = None, reading: str | None = None
    ) -> ForeignLine:
        """The line with another number, bid, text or reading."""
        return ForeignLine(
            self.number if number is None else number,
            self.depth,
            self.bid if bid is None else bid,
            self.role,
            self.name,
            self.text if text is None else text,
            self._reading if reading is None else reading,
        )


def unquote(quoted: str) -> str:
    """The string that `repr()` wrote as `quoted`; the bare inside where it is no valid literal."""
    inside = quoted[1:-1]
    if "\\" not in inside:
        return inside
    try:
        return str(ast.literal_eval(quoted))
    except (SyntaxError, ValueError):
        return inside


def parse_line(text: str, number: int = 1) -> AxLine:
    """Read one line. Never fails: what does not look like a node has its first word as role and no bid."""
    match = _LINE.match(text)
    assert match is not None  # every part is optional
    indent, bid, role, name = match.groups()
    return AxLine(number, len(indent), bid or "", role, unquote(name) if name else "", text)


def in_browsergym(depth: int, role: str, name: str, properties: Mapping[str, str]) -> str:
    """The line in BrowserGym's words: TABs, role, name, then the properties; one with "" is a bare flag."""
    parts = [f"{role} {name!r}"]
    if value := properties.get("value"):
        parts[0] += f" value={value!r}"
    for key, value in properties.items():
        if key != "value":
            parts.append(f"{key}={value if _BARE_VALUE.fullmatch(value) else repr(value)}" if value else key)
    return "\t" * depth + ", ".join(parts)
