"""What belongs to an attacked line: one hand wrote a dialog, a comment, a label and what it repeats."""

from __future__ import annotations

from collections.abc import Iterable

from focusagent.axtree import AxTree
from focusagent.security.labels import LABELLED
from focusagent.security.passages import PROSE

OVERLAYS = frozenset("dialog alertdialog alert status tooltip marquee".split())
UNITS = frozenset("article listitem blockquote figure note comment cell gridcell LayoutTableCell".split())
BLOCKS = frozenset("paragraph listitem blockquote generic code".split())
MAX_OVERLAY, MAX_UNIT = 80, 60


def spread(tree: AxTree, attacked: Iterable[int]) -> dict[int, int]:
    """Further lines to withhold -> the attacked line they belong to. Bounded, so that a page cannot make one flagged
    line hide everything."""
    sources = frozenset(attacked)
    found: dict[int, int] = {}
    for number in sorted(sources):
        for other in _company(tree, number):
            if other not in sources:
                found.setdefault(other, number)
    return found


def _company(tree: AxTree, number: int) -> Iterable[int]:
    if overlay := _nearest(tree, number, OVERLAYS, MAX_OVERLAY):
        return range(overlay, tree.subtree(overlay)[1] + 1)
    line = tree.line(number)
    if line.role in LABELLED:
        first, last = tree.subtree(number)
        return range(first, min(last, first + MAX_UNIT) + 1)
    return _same_hand(tree, number) if line.role in PROSE and line.depth else ()


def _nearest(tree: AxTree, number: int, roles: frozenset[str], most: int) -> int:
    """The nearest line from `number` upwards with such a role and a subtree of at most `most` lines; 0 for none."""
    while number:
        first, last = tree.subtree(number)
        if last - first >= most:
            return 0
        if tree.line(number).role in roles:
            return number
        number = tree.parent(number)
    return 0


def _same_hand(tree: AxTree, number: int) -> Iterable[int]:
    """Prose beside an attacked line: its own block, and blocks of that kind within the same comment or section."""
    block = tree.parent(number)
    kind = tree.line(block).role if block else ""
    outer = tree.parent(block) if block and kind in BLOCKS else block
    unit = (_nearest(tree, block, UNITS, MAX_UNIT) if block else 0) or outer or block or number
    first, last = tree.subtree(unit)
    if last - first >= MAX_UNIT:
        unit = block or number
        first, last = tree.subtree(unit)
    for other in range(max(first + 1, number - MAX_UNIT), min(last, number + MAX_UNIT) + 1):
        inside = tree.parent(other)
        same_block = inside == block or (kind in BLOCKS and block != unit and tree.line(inside).role == kind)
        if same_block and tree.line(other).role in PROSE:
            yield other
