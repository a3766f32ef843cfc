"""Which lines fit a budget of tokens when each comes with the lines that it cannot be understood without."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Sequence

PLACEHOLDER_TOKENS = 8


class Choice:
    """Lines kept so far and what they cost, the placeholders of the gaps between them included."""

    def __init__(self, costs: Sequence[int]) -> None:
        self.costs = costs
        self.kept = [False] * len(costs)
        self.tokens = PLACEHOLDER_TOKENS

    def price(self, index: int) -> int:
        """Tokens that keeping the line adds: its own, and a placeholder more or less for the gap that it splits or
        closes."""
        gaps = -1 + (not self._is_kept(index - 1)) + (not self._is_kept(index + 1))
        return self.costs[index] + PLACEHOLDER_TOKENS * gaps

    def _is_kept(self, index: int) -> bool:
        return index < 0 or index >= len(self.kept) or self.kept[index]

    def add(self, index: int) -> None:
        if not self.kept[index]:
            self.tokens += self.price(index)
            self.kept[index] = True

    def remove(self, index: int) -> None:
        self.kept[index] = False
        self.tokens -= self.price(index)

    def try_add(self, indexes: Iterable[int], budget: float) -> bool:
        """Keep all of the lines, if the budget allows; else none."""
        added = []
        for index in indexes:
            if not self.kept[index]:
                self.add(index)
                added.append(index)
        if self.tokens <= budget:
            return True
        for index in reversed(added):
            self.remove(index)
        return False

    def close_gaps(self) -> None:
        """Keep what costs no more than the placeholder that would stand for it."""
        start = None
        for index, kept in enumerate([*self.kept, True]):
            if not kept:
                start = index if start is None else start
            elif start is not None:
                if sum(self.costs[start:index]) <= PLACEHOLDER_TOKENS:
                    for gap in range(start, index):
                        self.add(gap)
                start = None


def choose(
    costs: Sequence[int],
    scores: Sequence[float],
    bundle: Callable[[int], Sequence[int]],
    musts: Iterable[int],
    budget: float,
    firsts: Iterable[tuple[Sequence[int], float]] = (),
) -> list[bool]:
    """Keep `musts` whatever they cost, then of `firsts` (lines, share of the budget) what leaves the rest of the
    budget free, then the best lines with their bundles while they fit, then closed gaps."""
    choice = Choice(costs)
    for index in musts:
        for line in bundle(index):
            choice.add(line)
    for lines, share in firsts:
        if choice.tokens < share * budget:
            together = dict.fromkeys(member for line in lines for member in (line, *bundle(line)))
            choice.try_add(together, share * budget)
    queue = [(-score, index) for index, score in enumerate(scores)]
    heapq.heapify(queue)
    misfits = 0
    while queue and choice.tokens < budget and misfits < MAX_MISFITS:
        _, index = heapq.heappop(queue)
        if not choice.kept[index] and not choice.try_add(bundle(index), budget):
            misfits += 1
    choice.close_gaps()
    return choice.kept


MAX_MISFITS = 200
