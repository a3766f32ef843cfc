"""Items that no role marks: runs of siblings that repeat, and sections from heading to heading."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from focusagent.axtree import AxLine
from focusagent.retrieval.local.kinds import ACTIVE

MANY = 3
MAX_SECTION, MAX_RUN = 40, 25


def runs(lines: Sequence[AxLine], kinds: Sequence[str], parent: Sequence[int]) -> dict[int, int]:
    """Index of each line that stands in such an item -> index of the item's first line.

    Among the children of one parent, a control's name that comes at least MANY times marks the items: each reaches up
    to it, or begins with it where something follows its last occurrence. Headings of one parent begin sections."""
    children: dict[int, list[int]] = {}
    for index in range(1, len(lines)):
        children.setdefault(parent[index], []).append(index)
    found: dict[int, int] = {}
    for members in children.values():
        if len(members) < 2 * MANY:
            continue
        for first, last in _items(lines, kinds, members):
            end = _end(lines, last)
            if 1 < end - first <= MAX_SECTION:
                found.update(dict.fromkeys(range(first, end), first))
    return found


def _items(lines: Sequence[AxLine], kinds: Sequence[str], members: Sequence[int]) -> list[tuple[int, int]]:
    """(first child, last child) of each item among the children of one parent."""
    headings = [place for place, index in enumerate(members) if lines[index].role == "heading"]
    if len(headings) >= MANY:
        return _between(members, headings)
    names = Counter(lines[index].name for index in members if kinds[index] in ACTIVE and lines[index].name.strip())
    name, count = max(names.items(), key=lambda entry: entry[1], default=("", 0))
    if count < MANY:
        return []
    marks = [place for place, index in enumerate(members) if lines[index].name == name and kinds[index] in ACTIVE]
    period = min(after - before for before, after in pairwise(marks))
    if period < 2 or period > MAX_RUN:
        return []
    if marks[0] < period - 1:
        return _between(members, marks)
    return [(members[max(mark - period + 1, 0)], members[mark]) for mark in marks]


def _between(members: Sequence[int], starts: Sequence[int]) -> list[tuple[int, int]]:
    ends = [*(start - 1 for start in starts[1:]), len(members) - 1]
    return [(members[start], members[end]) for start, end in zip(starts, ends, strict=True)]


def _end(lines: Sequence[AxLine], index: int) -> int:
    """One past the last line of the subtree."""
    end = index + 1
    while end < len(lines) and lines[end].depth > lines[index].depth:
        end += 1
    return end
