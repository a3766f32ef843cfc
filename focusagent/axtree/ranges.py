"""Sets of line numbers as sorted disjoint intervals; a range of a billion lines costs as much as one of two."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LineRanges:
    """Sorted, disjoint, inclusive intervals; touching ones are joined, so that equal sets are equal objects."""

    pairs: tuple[tuple[int, int], ...] = ()

    @classmethod
    def of(cls, pairs: Iterable[tuple[int, int]]) -> LineRanges:
        """Intervals in any order, overlapping or reversed."""
        joined: list[tuple[int, int]] = []
        for first, last in sorted((min(a, b), max(a, b)) for a, b in pairs):
            if joined and first <= joined[-1][1] + 1:
                joined[-1] = (joined[-1][0], max(joined[-1][1], last))
            else:
                joined.append((first, last))
        return cls(tuple(joined))

    @classmethod
    def of_numbers(cls, numbers: Iterable[int]) -> LineRanges:
        """Single numbers in any order, repeated or not."""
        ordered = sorted(set(numbers))
        firsts = [n for n, before in zip(ordered, [None, *ordered], strict=False) if before is None or n - before > 1]
        lasts = [n for n, after in zip(ordered, [*ordered[1:], None], strict=False) if after is None or after - n > 1]
        return cls(tuple(zip(firsts, lasts, strict=True)))

    @classmethod
    def all(cls, n: int) -> LineRanges:
        """1..n; empty for n < 1."""
        return cls(((1, n),) if n >= 1 else ())

    @property
    def count(self) -> int:
        """How many numbers the set holds."""
        return sum(last - first + 1 for first, last in self.pairs)

    def __len__(self) -> int:
        return self.count

    def __bool__(self) -> bool:
        return bool(self.pairs)

    def around(self, number: int) -> tuple[int, int] | None:
        """The interval that holds the number; None where none does."""
        index = bisect_right(self.pairs, number, key=lambda pair: pair[0]) - 1
        return self.pairs[index] if index >= 0 and number <= self.pairs[index][1] else None

    def __contains__(self, number: int) -> bool:
        return self.around(number) is not None

    def __iter__(self) -> Iterator[int]:
        """The numbers in order, made one by one."""
        for first, last in self.pairs:
            yield from range(first, last + 1)

    def union(self, *others: LineRanges) -> LineRanges:
        return LineRanges.of(pair for ranges in (self, *others) for pair in ranges.pairs)

    def intersection(self, other: LineRanges) -> LineRanges:
        common, i, j = [], 0, 0
        while i < len(self.pairs) and j < len(other.pairs):
            (a, b), (c, d) = self.pairs[i], other.pairs[j]
            if max(a, c) <= min(b, d):
                common.append((max(a, c), min(b, d)))
            if b < d:
                i += 1
            else:
                j += 1
        return LineRanges(tuple(common))

    def clip(self, n: int) -> LineRanges:
        """The part within 1..n."""
        if not self.pairs or (self.pairs[0][0] >= 1 and self.pairs[-1][1] <= n):
            return self
        return self.intersection(LineRanges.all(n))

    def complement(self, n: int) -> LineRanges:
        """What 1..n holds and this set does not."""
        gaps, start = [], 1
        for first, last in self.clip(n).pairs:
            if start < first:
                gaps.append((start, first - 1))
            start = last + 1
        if start <= n:
            gaps.append((start, n))
        return LineRanges(tuple(gaps))

    def difference(self, other: LineRanges) -> LineRanges:
        """What this set holds and the other does not."""
        left, taken, at = [], other.pairs, 0
        for first, last in self.pairs:
            while at < len(taken) and taken[at][1] < first:
                at += 1
            while at < len(taken) and taken[at][0] <= last:
                if first < taken[at][0]:
                    left.append((first, taken[at][0] - 1))
                first = taken[at][1] + 1
                if first > last:
                    break
                at += 1
            if first <= last:
                left.append((first, last))
        return LineRanges(tuple(left))
