"""Needed lines against removing every line one by one."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from focusagent.axtree import AxLine, AxTree
from focusagent.scripted.needed import needed_lines

LINES = AxTree.parse("\n".join(f"[{number}] button 'b{number}'" for number in range(1, 65))).lines


def _sees(*names: str):  # type: ignore[no-untyped-def]
    def act(lines: Sequence[AxLine]) -> tuple[bool, ...]:
        shown = {line.name for line in lines}
        return tuple(name in shown for name in names)

    return act


@given(st.sets(st.integers(1, 64), max_size=6))
def test_lines_that_matter_alone_are_found_one_by_one(numbers: set[int]) -> None:
    act = _sees(*(f"b{number}" for number in numbers))
    naive = {line.number for line in LINES if act([other for other in LINES if other is not line]) != act(LINES)}
    found = needed_lines(LINES, act)
    assert set(found.lines) == naive == numbers
    assert found.complete
    assert found.runs <= 2 + 14 * max(1, len(numbers))


def test_of_two_lines_that_do_the_same_one_is_needed() -> None:
    def act(lines: Sequence[AxLine]) -> bool:
        return bool({"b3", "b40"} & {line.name for line in lines})

    found = needed_lines(LINES, act)
    assert list(found.lines) == [40]


def test_an_action_that_no_line_changes_needs_none() -> None:
    assert not needed_lines(LINES, lambda lines: "noop()").lines
    assert not needed_lines((), lambda lines: len(lines)).lines


def test_runs_are_bounded_and_what_was_not_searched_counts_as_needed() -> None:
    found = needed_lines(LINES, lambda lines: tuple(line.bid for line in lines), max_runs=20)
    assert not found.complete
    assert found.lines.count == 64
    assert found.runs <= 30
