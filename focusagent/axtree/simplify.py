"""Deterministic passes that shorten a tree without choosing by the goal. Each is small, named and switchable."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from focusagent.axtree.properties import drop_properties, split_line
from focusagent.axtree.ranges import LineRanges
from focusagent.axtree.tree import QUOTED, AxLine, AxTree, parse_line

LIVE_PROPERTIES = frozenset("live relevant atomic busy describedby controls owns orientation roledescription".split())
EMPTY_ROLES = frozenset(
    "generic none presentation paragraph list listitem ListMarker LayoutTable LayoutTableRow LayoutTableCell"
    " region status log group strong emphasis superscript subscript navigation complementary".split()
)
MAX_URL, MAX_NAME = 80, 300
_LIVE = re.compile(f", (?:{'|'.join(sorted(LIVE_PROPERTIES))})")
_URL = re.compile(rf"\burl=({QUOTED})", re.DOTALL)


class Draft:
    """A tree on its way through the passes: `texts[i]` is line i+1 as it stands, None once it is dropped."""

    def __init__(self, tree: AxTree) -> None:
        self.tree = tree
        self.texts: list[str | None] = [line.text for line in tree.lines]

    def alive(self) -> Iterable[AxLine]:
        return (line for line, text in zip(self.tree.lines, self.texts, strict=True) if text is not None)

    def drop(self, line: AxLine) -> None:
        self.texts[line.number - 1] = None

    def edit(self, change: Callable[[str], str], where: Callable[[str], object]) -> None:
        """Apply `change` to each line that is left and for whose text `where` holds."""
        self.texts = [change(text) if text is not None and where(text) else text for text in self.texts]

    def line(self, number: int, new_number: int) -> AxLine:
        """Line `number` as it stands now, numbered anew."""
        line, text = self.tree.lines[number - 1], self.texts[number - 1]
        if text is None or text is line.text:
            return AxLine(new_number, line.depth, line.bid, line.role, line.name, line.text)
        return parse_line(text, new_number)


@dataclass(frozen=True)
class Simplified:
    """`original` maps a line number of `tree` to that line's number in the input; `dropped` counts in the input."""

    tree: AxTree
    original: dict[int, int]
    dropped: LineRanges

    def to_original(self, ranges: LineRanges) -> LineRanges:
        return LineRanges.of_numbers(self.original[number] for number in ranges.clip(len(self.tree.lines)))

    def texts(self) -> dict[int, str]:
        """Original line number -> simplified text."""
        return {self.original[line.number]: line.text for line in self.tree.lines}


def inline_text_boxes(draft: Draft) -> None:
    """Newer Chromium repeats each text in an InlineTextBox line."""
    for line in draft.alive():
        if line.role == "InlineTextBox":
            draft.drop(line)


def repeated_text(draft: Draft) -> None:
    """Text without a bid that its parent's name, as far as it is shown, holds already."""
    for line in draft.alive():
        if line.role == "StaticText" and not line.bid and line.name:
            parent = draft.tree.parent(line.number)
            if parent and line.name in draft.tree.line(parent).name[:MAX_NAME]:
                draft.drop(line)


def empty_nodes(draft: Draft) -> None:
    """Presentational leaves without a name, from the leaves upwards; nothing that can be clicked or has the focus."""
    last_depth = -1
    for line in reversed(draft.tree.lines):
        if draft.texts[line.number - 1] is None:
            continue
        is_leaf = last_depth <= line.depth
        if is_leaf and line.role in EMPTY_ROLES and not line.name.strip() and not _matters(line):
            draft.drop(line)
        else:
            last_depth = line.depth


def _matters(line: AxLine) -> bool:
    return any(word in line.text for word in ("clickable", "focus", "value=", "hasPopup", "expanded", "checked"))


def live_properties(draft: Draft) -> None:
    """Live-region and layout properties, which describe announcements and ids, not state."""
    draft.edit(lambda text: drop_properties(text, LIVE_PROPERTIES), where=_LIVE.search)


def long_urls(draft: Draft) -> None:
    """Long and data URLs keep their head; the mark says how much is gone."""
    draft.edit(
        lambda text: _URL.sub(lambda match: f"url={_cut(match[1], MAX_URL)}", text),
        where=lambda text: len(text) > MAX_URL and "url=" in text,
    )


def long_names(draft: Draft) -> None:
    """Names of over MAX_NAME characters keep their head; the mark says how much is gone."""
    for line in draft.alive():
        text = draft.texts[line.number - 1]
        if text is not None and len(line.name) > MAX_NAME:
            head, tail = split_line(text)
            start = head.index(" ", len(head) - len(head.lstrip()) + (len(line.bid) + 3 if line.bid else 0)) + 1
            draft.texts[line.number - 1] = head[:start] + _cut(head[start:], MAX_NAME) + tail


def _cut(quoted: str, limit: int) -> str:
    """A quoted string cut to `limit` characters of its source, never inside an escape."""
    inside = quoted[1:-1]
    if len(inside) <= limit:
        return quoted
    head = re.sub(r"\\(?:x[0-9a-f]?|u[0-9a-f]{0,3}|U[0-9a-f]{0,7})?$", "", inside[:limit])
    return f"{quoted[0]}{head}… (+{len(inside) - len(head)} characters){quoted[0]}"


PASSES: dict[str, Callable[[Draft], None]] = {
    "inline_text_boxes": inline_text_boxes,
    "repeated_text": repeated_text,
    "empty_nodes": empty_nodes,
    "live_properties": live_properties,
    "long_urls": long_urls,
    "long_names": long_names,
}
DEFAULT: tuple[str, ...] = tuple(PASSES)


def simplify(tree: AxTree, passes: Iterable[str] = DEFAULT) -> Simplified:
    """Run the named passes in order. The root line is always left. Raises KeyError for an unknown pass."""
    draft = Draft(tree)
    for name in passes:
        PASSES[name](draft)
    if draft.texts[0] is None:
        draft.texts[0] = tree.lines[0].text
    original = dict(enumerate((line.number for line in draft.alive()), 1))
    dropped = LineRanges.of_numbers(number for number, text in enumerate(draft.texts, 1) if text is None)
    return Simplified(AxTree(draft.line(number, new) for new, number in original.items()), original, dropped)
