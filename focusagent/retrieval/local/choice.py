"""Which lines fit a budget of tokens when each comes with the lines that it cannot be understood without."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

PLACEHOLDER_TOKENS = 8


class Choice:
    """Lines kept so far and what they cost, the placeholders of the gaps between them included."""

    def __init__(self, costs: Sequence[int], cuts: Mapping[int, int] | None = None) -> None:
        """`cuts` are the tokens of lines that can be shown in part (index -> tokens of the part)."""
        self.costs = list(costs)
        self.cuts = dict(cuts or {})
        self.cut = set[int]()
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
        """Keep all of the lines, if the budget allows, in part where not whole; else none."""
        indexes = list(indexes)
        if self._try_add(indexes, budget):
            return True
        long = [index for index in indexes if index in self.cuts and not self.kept[index] and index not in self.cut]
        if not long:
            return False
        whole = {index: self.costs[index] for index in long}
        for index in long:
            self.costs[index] = self.cuts[index]
        if self._try_add(indexes, budget):
            self.cut.update(long)
            return True
        for index, cost in whole.items():
            self.costs[index] = cost
        return False

    def _try_add(self, indexes: Iterable[int], budget: float) -> bool:
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

    def pair(self, needs: Mapping[int, int], budget: float) -> None:
        """Of `needs` (index -> index of the line without which it must not stand), add what is missing while the budget
        allows; take away the others."""
        for index, needed in needs.items():
            if self.kept[index] and not self.kept[needed] and not self.try_add([needed], budget):
                self.remove(index)

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


@dataclass(frozen=True)
class Lines:
    """What there is to choose from, by index: `costs` in tokens, `scores`, the lines that a line's `bundle` holds, the
    tokens of long texts shown in part (`cuts`), and for a line the other without which it must not stand (`needs`)."""

    costs: Sequence[int]
    scores: Sequence[float]
    bundle: Callable[[int], Sequence[int]]
    cuts: Mapping[int, int] = field(default_factory=dict)
    needs: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Limits:
    """At most `budget` tokens; beyond `least` tokens, no more once what is kept holds `enough` of the scores'
    weight."""

    budget: float
    enough: float = 1.0
    least: float = 0.0


def choose(lines: Lines, musts: Iterable[int], firsts: Iterable[tuple[Sequence[int], float]], limits: Limits) -> Choice:
    """Keep `musts` whatever they cost, then of `firsts` (lines, share of the budget) what leaves the rest of the budget
    free, then the best lines with their bundles within the limits, then closed gaps."""
    budget = limits.budget
    choice = Choice(lines.costs, lines.cuts)
    for index in musts:
        for line in lines.bundle(index):
            if not choice.try_add([line], budget):
                choice.add(line)
    for together, share in firsts:
        if choice.tokens < share * budget:
            members = dict.fromkeys(member for line in together for member in (line, *lines.bundle(line)))
            choice.try_add(members, share * budget)
    _add_best(choice, lines, limits)
    choice.close_gaps()
    choice.pair(lines.needs, budget + SPARE)
    return choice


def _add_best(choice: Choice, lines: Lines, limits: Limits) -> None:
    weights = weights_of(lines.scores)
    queue = [(-score, index) for index, score in enumerate(lines.scores)]
    heapq.heapify(queue)
    misfits = 0
    held = sum(weight for index, weight in enumerate(weights) if choice.kept[index])
    while queue and choice.tokens < limits.budget and misfits < MAX_MISFITS:
        if held >= limits.enough and choice.tokens >= limits.least:
            return
        _, index = heapq.heappop(queue)
        if choice.kept[index]:
            continue
        if choice.try_add(lines.bundle(index), limits.budget):
            held += weights[index]
        else:
            misfits += 1


MAX_MISFITS = 200
SPARE = 100
"""Tokens beyond the budget that may be spent on telling rows apart."""


def weights_of(scores: Sequence[float]) -> list[float]:
    """Each score's share of all (softmax): how likely each line is the one that is needed."""
    best = np.max(scores)
    odds = np.exp(np.array(scores) - (best if np.isfinite(best) else 0.0))
    if not odds.any():
        return [0.0] * len(scores)
    shares: list[float] = (odds / odds.sum()).tolist()
    return shares
