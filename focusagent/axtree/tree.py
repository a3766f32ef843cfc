"""The accessibility tree as text: one line a node, numbered from 1, structure read from indentation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from focusagent.axtree.dialects import BROWSERGYM, DIALECTS, Dialect, Reading, doubt, recognise
from focusagent.axtree.line import AxLine
from focusagent.axtree.ranges import LineRanges


class AxTree:
    """An AxTree's lines. Split on "\\n" only, so nothing that a page writes into a name can open a new line."""

    def __init__(
        self,
        lines: Iterable[AxLine],
        received: AxTree | None = None,
        form: Dialect = BROWSERGYM,
        reading: Reading | None = None,
    ) -> None:
        """`received` is the tree of which these lines are a shortened form; a tree is its own where there is none.
        `form` is the dialect that the lines' texts are written in, `reading` what it says about them."""
        self.lines: tuple[AxLine, ...] = tuple(lines)
        self.received: AxTree = self if received is None else received
        self.form = form
        self._reading = reading or Reading(self.lines)

    @classmethod
    def parse(cls, text: str, dialect: str = "auto") -> AxTree:
        """Any string is a tree; `parse("")` has one empty line. Raises ValueError for a dialect that is none.

        "auto" reads the dialect that the text's lines fit best. Where the text may hold a whole page of somebody's
        words (browser-use), naming the dialect is safer: then no text can pass for another."""
        if dialect != "auto" and dialect not in DIALECTS:
            raise ValueError(f"dialect must be auto, {', '.join(DIALECTS)}, not {dialect!r}")
        lines = text.split("\n")
        form = recognise(lines) if dialect == "auto" else DIALECTS[dialect]
        reading = form.read(lines)
        return cls(reading.lines, form=form, reading=reading)

    def shortened(self, lines: Iterable[AxLine], root: int) -> AxTree:
        """Fewer or shorter lines of the same page; `root` is the number of its root among them."""
        lines = tuple(lines)
        return AxTree(lines, self.received, self.form, Reading(lines, root=root))

    def replaced(self, texts: Mapping[int, str]) -> AxTree:
        """The same tree with the texts of some lines (line number -> text) read anew, each by itself."""
        lines = (self.reread(line.number, texts[line.number]) if line.number in texts else line for line in self.lines)
        return AxTree(lines, form=self.form, reading=self._reading)

    def reread(self, number: int, text: str) -> AxLine:
        """The line with that number as it reads with another text."""
        return self.form.one(number, text)

    @property
    def dialect(self) -> str:
        """The name of the dialect that the tree was read in."""
        return self.form.name

    @cached_property
    def doubt(self) -> str:
        """In a line, why the text as received is no tree; "" where it reads as one."""
        return doubt(self.form, [line.text for line in self.received.lines])

    @property
    def owners(self) -> Mapping[int, int]:
        """Number of each line that belongs to the line above it -> number of that one."""
        return self._reading.owners

    @property
    def fixed(self) -> LineRanges:
        """Lines that are no part of the page, such as the headings of a tool's answer."""
        return self._reading.fixed

    @property
    def unread(self) -> LineRanges:
        """Lines that stand where elements do and cannot be read as any."""
        return self._reading.unread

    @property
    def root(self) -> int:
        """Number of the line that stands for the page."""
        return self._reading.root

    def whole(self, ranges: LineRanges) -> LineRanges:
        """`ranges` with the lines that belong to theirs, without those whose line they lack."""
        if not self.owners:
            return ranges
        belong = LineRanges.of_numbers(number for number, owner in self.owners.items() if owner in ranges)
        return ranges.difference(LineRanges.of_numbers(self.owners)).union(belong)

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
