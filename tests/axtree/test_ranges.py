"""LineRanges against plain sets of numbers."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from focusagent.axtree import LineRanges

NUMBER = st.integers(-30, 60)
PAIRS = st.lists(st.tuples(NUMBER, NUMBER), max_size=8)


def members(pairs: list[tuple[int, int]]) -> set[int]:
    return {number for a, b in pairs for number in range(min(a, b), max(a, b) + 1)}


@given(PAIRS)
def test_of_holds_what_the_pairs_hold_in_canonical_form(pairs: list[tuple[int, int]]) -> None:
    ranges = LineRanges.of(pairs)
    assert set(ranges) == members(pairs)
    assert list(ranges) == sorted(members(pairs))
    assert all(first <= last for first, last in ranges.pairs)
    assert all(left[1] + 1 < right[0] for left, right in zip(ranges.pairs, ranges.pairs[1:], strict=False))
    assert ranges.count == len(ranges) == len(members(pairs))
    assert bool(ranges) == bool(pairs)


@given(st.lists(NUMBER, max_size=30))
def test_of_numbers_is_of_single_pairs(numbers: list[int]) -> None:
    assert LineRanges.of_numbers(numbers) == LineRanges.of((number, number) for number in numbers)


@given(PAIRS, NUMBER)
def test_membership_and_the_interval_around(pairs: list[tuple[int, int]], number: int) -> None:
    ranges = LineRanges.of(pairs)
    assert (number in ranges) == (number in members(pairs))
    around = ranges.around(number)
    assert (around is not None) == (number in members(pairs))
    assert around is None or (around in ranges.pairs and around[0] <= number <= around[1])


@given(PAIRS, PAIRS)
def test_set_operations(left: list[tuple[int, int]], right: list[tuple[int, int]]) -> None:
    a, b = LineRanges.of(left), LineRanges.of(right)
    assert set(a.union(b)) == members(left) | members(right)
    assert set(a.intersection(b)) == members(left) & members(right)
    assert set(a.difference(b)) == members(left) - members(right)
    for result in (a.union(b), a.intersection(b), a.difference(b)):
        assert result == LineRanges.of(result.pairs)


@given(PAIRS, st.integers(-2, 60))
def test_clip_and_complement(pairs: list[tuple[int, int]], n: int) -> None:
    ranges = LineRanges.of(pairs)
    assert set(ranges.clip(n)) == {number for number in members(pairs) if 1 <= number <= n}
    assert set(ranges.complement(n)) == set(range(1, n + 1)) - members(pairs)
    assert ranges.complement(n).complement(n) == ranges.clip(n)


def test_a_huge_range_is_never_expanded() -> None:
    huge = LineRanges.of([(10**15, 1)])
    assert huge.count == 10**15
    assert huge.complement(10**16).pairs == ((10**15 + 1, 10**16),)
    assert huge.difference(LineRanges.of([(5, 5)])).pairs == ((1, 4), (6, 10**15))
