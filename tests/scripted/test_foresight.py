"""Plans of several actions from a policy that names one at a time."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from focusagent.axtree import AxLine, AxTree
from focusagent.axtree.properties import properties
from focusagent.scripted.foresight import after, foresee
from focusagent.scripted.policies import Plan, next_plan, register_policy

PAGE = AxTree.parse(
    "RootWebArea 'Order'\n\t[1] textbox 'Name', focused\n\t[2] combobox 'Size' value='S'"
    "\n\t\t[3] option 'L', selected=False\n\t[4] radio 'Red', checked='false'\n\t[5] button 'Order'"
)
GOAL = "foresight: order a red L for Ann"


def policy(goal: str, lines: Sequence[AxLine], actions: Sequence[str], thoughts: Sequence[str]) -> Sequence[str]:
    held = {line.bid: properties(line) for line in lines}
    if held["1"].get("value") != "Ann":
        return Plan(["fill('1', 'Ann')"], note="The\nname.")
    if held["2"].get("value") != "L":
        return Plan(["select_option('2', 'L')"], note="The size.")
    if held["4"]["checked"] != "true":
        return Plan(["click('4')"], note="The colour.")
    return Plan(["click('5')"], note=f"All {len(actions)} done.")


@pytest.fixture(autouse=True)
def _registered() -> None:
    register_policy("foresight: .*", policy)


def test_a_plan_goes_on_to_the_first_action_whose_outcome_must_be_seen() -> None:
    plan = foresee(GOAL, PAGE.lines, [], [], next_plan(GOAL, PAGE.lines, [], []))
    assert plan == ["fill('1', 'Ann')", "select_option('2', 'L')", "click('4')", "click('5')"]
    assert plan.note.split("\n") == ["The name.", "The size.", "The colour.", "All 3 done."]


def test_what_is_imagined_is_the_action_alone() -> None:
    typed = after("fill('1', \"it's\")", PAGE.lines)
    assert typed is not None
    assert properties(typed[1]) == {"value": "it's", "focused": ""}
    chosen = after("select_option('2', 'L')", PAGE.lines)
    assert chosen is not None
    assert properties(chosen[3])["selected"] == "True"
    assert after("click('5')", PAGE.lines) is None
    assert after("fill('9', 'x')", PAGE.lines) is None
    assert after("noop(500)", PAGE.lines) is None
    assert after("click(", PAGE.lines) is None


def test_an_action_that_changes_nothing_for_the_policy_is_not_repeated() -> None:
    def stubborn(goal: str, lines: Sequence[AxLine], actions: Sequence[str], thoughts: Sequence[str]) -> Sequence[str]:
        return Plan(["fill('1', 'Bob')"], note="Again.")

    register_policy("stubborn", stubborn)
    assert foresee("stubborn", PAGE.lines, [], [], Plan(["fill('1', 'Bob')"])) == ["fill('1', 'Bob')"]
