"""The accessibility tree as text: one line a node, numbered from 1, structure read from indentation."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from functools import cached_property
from itertools import count
from typing import NamedTuple

QUOTED = r"""'[^'\\]*(?:\\.[^'\\]*)*'|"[^"\\]*(?:\\.[^"\\]*)*\""""
_LINE = re.compile(rf"(\s*)(?:\[([A-Za-z0-9]+)\](?: |$))?([^\s,]*)(?: ({QUOTED}))?", re.DOTALL)


class AxLine(NamedTuple):
    """One line of the tree. `bid` is "" where there is none; `name` has its `repr()` escapes resolved."""

    number: int
    depth: int
    bid: str
    role: str
    name: str
    text: str


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


class AxTree:
    """An AxTree's lines. Split on "\\n" only, so nothing that a page writes into a name can open a new line."""

    def __init__(self, lines: Iterable[AxLine], received: AxTree | None = None) -> None:
        """`received` is the tree of which these lines are a shortened form; a tree is its own where there is none."""
        self.lines: tuple[AxLine, ...] = tuple(lines)
        self.received: AxTree = self if received is None else received

    @classmethod
    def parse(cls, text: str) -> AxTree:
        """Any string is a tree; `parse("")` has one empty line."""
        return cls(map(parse_line, text.split("\n"), count(1)))

    @cached_property
    def text(self) -> str:
        """The input of `parse`, exactly."""
        return "\n".join(line.text for line in self.lines)

    def __len__(self) -> int:
        return len(self.lines)

    def line(self, number: int) -> AxLine:
        """The line with that 1-based number. Raises IndexError where there is none."""
        if number < 1:
            raise IndexError(number)
        return self.lines[number - 1]

    @cached_property
    def _links(self) -> tuple[list[int], list[int]]:
        """For each line its parent's number (0: none) and the number of the last line in its subtree."""
        parents, ends, open_lines = [0] * len(self.lines), [len(self.lines)] * len(self.lines), list[int]()
        for index, line in enumerate(self.lines):
            while open_lines and self.lines[open_lines[-1]].depth >= line.depth:
                ends[open_lines.pop()] = index
            parents[index] = open_lines[-1] + 1 if open_lines else 0
            open_lines.append(index)
        return parents, ends

    def parent(self, number: int) -> int:
        """Number of the nearest earlier line with less depth; 0 for a root."""
        return self._links[0][number - 1]

    def ancestors(self, number: int) -> tuple[int, ...]:
        """Numbers from the parent up to the root."""
        chain = []
        while number := self.parent(number):
            chain.append(number)
        return tuple(chain)

    def subtree(self, number: int) -> tuple[int, int]:
        """First and last number of the line's subtree, itself included."""
        return number, self._links[1][number - 1]

    @cached_property
    def by_bid(self) -> dict[str, int]:
        """Line number of each bid (the first line that carries it)."""
        return {line.bid: line.number for line in reversed(self.lines) if line.bid}
