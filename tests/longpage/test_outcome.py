"""What counts as success."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focusagent.longpage.outcome import Answered, Viewed, added, removed
from focusagent.longpage.state import SiteState


def test_toggling_twice_is_no_change() -> None:
    state = SiteState()
    state.begin()
    assert state.toggle(("save", "1"))
    assert state.change()
    assert not state.toggle(("save", "1"))
    assert not state.change()


def test_removal_is_judged_like_addition() -> None:
    state = SiteState()
    state.facts = {("save", "1"), ("save", "2")}
    state.begin()
    state.toggle(("save", "1"))
    assert removed(("save", "1")).judge(state, []).success
    assert not removed(("save", "2")).judge(state, []).success
    state.toggle(("save", "2"))
    assert not removed(("save", "1")).judge(state, []).success


@given(st.sets(st.sampled_from("abcdef")), st.sets(st.sampled_from("abcdef"), min_size=1))
def test_success_is_equality_of_the_changes(done: set[str], asked: set[str]) -> None:
    state = SiteState()
    state.begin()
    state.facts |= {("did", letter) for letter in done}
    verdict = added(*(("did", letter) for letter in asked)).judge(state, [])
    assert verdict.success == (done == asked)
    assert verdict.progress == len(done & asked) / len(asked)


@pytest.mark.parametrize(
    ("said", "right"),
    [
        ("ada", True),
        ("The answer is Ada.", True),
        ("It is  ada!", True),
        ("ada_2", False),
        ("adaptor", False),
        ("bo", False),
        ("ada and bo", False),
        ("", False),
    ],
)
def test_answers(said: str, right: bool) -> None:
    state = SiteState()
    state.begin()
    assert Answered("ada", ("bo", "ada_2")).judge(state, [said]).success is right


@pytest.mark.parametrize(
    ("said", "right"),
    [("12", True), ("12.", True), ("120", False), ("1,120", False), ("12.5", False), ("12 of 40", False)],
)
def test_numbers_as_answers(said: str, right: bool) -> None:
    state = SiteState()
    state.begin()
    assert Answered("12", ("40", "12.5")).judge(state, [said]).success is right


def test_views_need_the_last_list_and_no_change() -> None:
    state = SiteState()
    state.begin()
    wanted = Viewed(("list", "cooking", "new"))
    assert not wanted.judge(state, []).done
    state.view = ("list", "cooking", "top")
    assert wanted.judge(state, []).progress == pytest.approx(2 / 3)
    state.view = ("list", "cooking", "new")
    assert wanted.judge(state, []).success
    state.facts.add(("hide", "1"))
    assert not wanted.judge(state, []).success
