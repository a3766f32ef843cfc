"""What belongs to an attacked line: one hand wrote a dialog, a comment, a label and what it repeats."""

from __future__ import annotations

from collections.abc import Container, Iterable

from focusagent.axtree import AxLine, AxTree
from focusagent.security.labels import LABELLED
from focusagent.security.passages import PROSE, begins_anew

OVERLAYS = frozenset("dialog alertdialog alert status tooltip marquee".split())
BLOCKS = frozenset("paragraph blockquote code".split())
INLINE = PROSE - BLOCKS - frozenset("heading listitem LayoutTableCell caption".split())
MAX_OVERLAY, MAX_UNIT = 80, 20


def spread(tree: AxTree, attacked: Iterable[int], suspects: Container[int] = ()) -> dict[int, int]:
    """Further lines to withhold -> the attacked line they belong to. Bounded, so that a page cannot make one flagged
    line hide everything; a paragraph beside an attacked one goes only where it holds one of the `suspects`."""
    sources = frozenset(attacked)
    found: dict[int, int] = {}
    for number in sorted(sources):
        for other in _company(tree, number, suspects):
            if other not in sources:
                found.setdefault(other, number)
    return found


def _company(tree: AxTree, number: int, suspects: Container[int]) -> Iterable[int]:
    if overlay := _overlay(tree, number):
        return _lines(tree, overlay)
    line, block = tree.line(number), tree.parent(number)
    if line.role in LABELLED:
        return _lines(tree, number)
    if line.role not in INLINE or not block:
        return _repeats(tree, line)
    kind = tree.line(block).role
    if kind in BLOCKS:
        alike = [block, *_suspect(tree, _run_of_siblings(tree, block, frozenset((kind,))), suspects)]
        return [inner for each in alike for inner in _lines(tree, each) if tree.line(inner).role in INLINE]
    return [*_repeats(tree, line), *_sentence(tree, _run_of_siblings(tree, number, INLINE), number, suspects)]


def _suspect(tree: AxTree, blocks: Iterable[int], suspects: Container[int]) -> list[int]:
    return [block for block in blocks if any(inner in suspects for inner in _lines(tree, block))]


def _repeats(tree: AxTree, line: AxLine) -> list[int]:
    """What stands under a link or heading and is its text again."""
    return [n for n in _lines(tree, line.number) if tree.line(n).name and tree.line(n).name in line.name]


def _sentence(tree: AxTree, siblings: Iterable[int], number: int, suspects: Container[int]) -> list[int]:
    """Those of the siblings that go on with the line's sentence, on either side, or are suspect themselves."""
    found: list[int] = []
    order = sorted(siblings)
    place = order.index(number)
    for way in (order[place + 1 :], order[:place][::-1]):
        before = number
        for sibling in way:
            first, second = sorted((before, sibling))
            if sibling not in suspects and begins_anew(tree.line(first).name, tree.line(second).name):
                break
            found.append(sibling)
            before = sibling
    return found


def _overlay(tree: AxTree, number: int) -> int:
    """The nearest dialog or alert around a line that is small enough to be one; 0 for none."""
    while number:
        first, last = tree.subtree(number)
        if last - first >= MAX_OVERLAY:
            return 0
        if tree.line(number).role in OVERLAYS:
            return number
        number = tree.parent(number)
    return 0


def _lines(tree: AxTree, number: int) -> range:
    first, last = tree.subtree(number)
    return range(first, min(last, first + MAX_OVERLAY) + 1)


def _run_of_siblings(tree: AxTree, number: int, roles: frozenset[str]) -> list[int]:
    """The line and its siblings of these roles next to it, nothing between them, at most MAX_UNIT lines away: the
    paragraphs of one comment, the pieces of one sentence."""
    parent, run = tree.parent(number), [number]
    after = tree.subtree(number)[1] + 1
    while after <= min(len(tree), number + MAX_UNIT) and _is_sibling(tree, after, parent, roles):
        run.append(after)
        after = tree.subtree(after)[1] + 1
    for before in range(number - 1, max(parent, number - MAX_UNIT), -1):
        if tree.parent(before) == parent:
            if tree.line(before).role not in roles:
                break
            run.append(before)
    return run


def _is_sibling(tree: AxTree, number: int, parent: int, roles: frozenset[str]) -> bool:
    return tree.parent(number) == parent and tree.line(number).role in roles
