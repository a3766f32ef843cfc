"""A tree on its way through the simplification passes."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from focusagent.axtree.ranges import LineRanges
from focusagent.axtree.tree import AxLine, AxTree, parse_line


class Draft:
    """`texts[i]` is line i+1 as it stands, None once it is dropped. The root line cannot be dropped."""

    def __init__(self, tree: AxTree) -> None:
        self.tree = tree
        self.texts: list[str | None] = [line.text for line in tree.lines]
        self._heads: set[int] = set()

    def alive(self) -> Iterator[AxLine]:
        """The lines left, with number, depth and name as in the input."""
        return (line for line, text in zip(self.tree.lines, self.texts, strict=True) if text is not None)

    def drop(self, line: AxLine) -> None:
        if line.number > 1:
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

    def finish(self) -> list[AxLine]:
        """The lines left, numbered anew; only lines whose head was edited are read again."""
        lines: list[AxLine] = []
        for line, text in zip(self.tree.lines, self.texts, strict=True):
            if text is None:
                continue
            number, depth, bid, role, name, before = line
            if number in self._heads:
                line = parse_line(text, len(lines) + 1)
            elif text is not before or number != len(lines) + 1:
                line = AxLine(len(lines) + 1, depth, bid, role, name, text)
            lines.append(line)
        return lines
