"""A tree on its way through the simplification passes."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from focusagent.axtree.line import AxLine, ForeignLine, parse_line
from focusagent.axtree.properties import properties
from focusagent.axtree.ranges import LineRanges
from focusagent.axtree.tree import AxTree


class Draft:
    """`texts[i]` is the reading of line i+1 as it stands, None once it is dropped. The root line cannot be dropped.

    Lines that belong to another are part of that one here."""

    def __init__(self, tree: AxTree) -> None:
        self.tree = tree
        self.texts: list[str | None] = [line.reading for line in tree.lines]
        self._parts: dict[int, list[str]] = {}
        for number, owner in tree.owners.items():
            self._parts.setdefault(owner, [tree.line(owner).text]).append(tree.line(number).text)
            self.texts[number - 1] = None
        self._heads: set[int] = set()

    def alive(self) -> Iterator[AxLine]:
        """The lines left, with number, depth and name as in the input."""
        return (line for line, text in zip(self.tree.lines, self.texts, strict=True) if text is not None)

    def drop(self, line: AxLine) -> None:
        if line.number != self.tree.root:
            self.texts[line.number - 1] = None

    def edit_tails(self, change: Callable[[str], str], where: Callable[[str], object]) -> None:
        """Apply `change`, which leaves indent, bid, role and name alone, to the lines left for which `where` holds."""
        self.texts = [change(text) if text is not None and where(text) else text for text in self.texts]

    def edit_head(self, line: AxLine, text: str) -> None:
        """A new text for the line, its name included."""
        self.texts[line.number - 1] = text
        self._heads.add(line.number)

    @property
    def dropped(self) -> LineRanges:
        return LineRanges.of_numbers(number for number, text in enumerate(self.texts, 1) if text is None)

    def finish(self) -> AxTree:
        """The lines left, numbered anew; only lines whose head was edited are read again."""
        lines: list[AxLine] = []
        root, foreign = 1, isinstance(self.tree.lines[0], ForeignLine)
        for line, reading in zip(self.tree.lines, self.texts, strict=True):
            if reading is None:
                continue
            number, depth, bid, role, name, text = line
            if foreign and isinstance(line, ForeignLine):
                root = len(lines) + 1 if number == self.tree.root else root
                lines.append(self._rewritten(line, reading, len(lines) + 1))
                continue
            if number in self._heads:
                line = parse_line(reading, len(lines) + 1)
            elif reading is not text or number != len(lines) + 1:
                line = AxLine(len(lines) + 1, depth, bid, role, name, reading)
            lines.append(line)
        return self.tree.shortened(lines, root)

    def _rewritten(self, line: ForeignLine, reading: str, number: int) -> AxLine:
        """A line of another dialect with what was done to its properties; a head stays as it is there."""
        text = "\n".join(self._parts.get(line.number, (line.text,)))
        if line.number in self._heads or reading == line.reading:
            return line.changed(number=number, text=text)
        edited = line.changed(number=number, reading=reading)
        before, after = properties(line), properties(edited)
        changes = {name: after.get(name, "") for name, value in before.items() if after.get(name) != value}
        return edited.changed(text=self.tree.form.edit(text, changes))
