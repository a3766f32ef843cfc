"""A page longer than the model's context, cut into parts on whole lines."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from focusagent.axtree import AxTree, LineRanges

_OVERLAP_LINES = 8
_ANCESTORS = 24


@dataclass(frozen=True)
class Part:
    """`own` are the lines that this part is there to judge; `context` are lines of earlier parts that go along:
    ancestors of its first line and a small overlap. Both are line numbers of the whole tree, in order."""

    own: tuple[int, ...]
    context: tuple[int, ...] = ()

    @property
    def first(self) -> int:
        return self.own[0]

    @property
    def last(self) -> int:
        return self.own[-1]

    @property
    def numbers(self) -> tuple[int, ...]:
        return self.context + self.own


def lines_to_read(tree: AxTree, within: LineRanges | None) -> Sequence[int]:
    """The numbers of the lines to show: all, or those `within` and their ancestors."""
    if within is None:
        return range(1, len(tree) + 1)
    chosen: set[int] = set()
    for number in within.clip(len(tree)):
        while number and number not in chosen:
            chosen.add(number)
            number = tree.parent(number)
    return sorted(chosen)


def plan_parts(tree: AxTree, numbers: Sequence[int], costs: Sequence[int], budget: int) -> Iterator[Part]:
    """Parts of at most `budget` tokens that own each of `numbers` once. `costs[i]` is the cost of line i+1 in tokens
    and at most a quarter of the budget. A part ends where the next subtree begins, if that leaves it three quarters
    full. Linear in the lines."""
    spent = [0, *accumulate(costs[number - 1] for number in numbers)]
    start = 0
    while start < len(numbers):
        context = _context(tree, numbers, costs, start, budget // 2)
        room = budget - sum(costs[number - 1] for number in context)
        end = max(start + 1, bisect_right(spent, spent[start] + room) - 1)
        if end < len(numbers):
            end = _border(tree, numbers, start, end)
        yield Part(tuple(numbers[start:end]), context)
        start = end


def _border(tree: AxTree, numbers: Sequence[int], start: int, end: int) -> int:
    """The last place among the last quarter of start..end whose line is least indented: a part ends before it."""
    earliest = start + max(1, (end - start) * 3 // 4)
    return min(range(end, earliest - 1, -1), key=lambda index: tree.lines[numbers[index] - 1].depth)


def _context(tree: AxTree, numbers: Sequence[int], costs: Sequence[int], start: int, budget: int) -> tuple[int, ...]:
    """Ancestors (the root first, then the nearest) and the lines just before, as far as `budget` goes."""
    if start == 0:
        return ()
    before = numbers[max(0, start - _OVERLAP_LINES) : start][::-1]
    chain: list[int] = []
    number = tree.parent(numbers[start])
    while number and len(chain) < _ANCESTORS:
        chain.append(number)
        number = tree.parent(number)
    wanted = dict.fromkeys([before[0], *([numbers[0]] if chain else []), *chain, *before])
    chosen = []
    for number in wanted:
        budget -= costs[number - 1]
        if budget < 0:
            break
        chosen.append(number)
    return tuple(sorted(chosen))
