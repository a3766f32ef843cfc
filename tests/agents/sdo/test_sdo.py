"""SDOAgent: when it looks, when it follows its plan, and what the root model is shown."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from typing import Any

import pytest
from says import SaysArgs, observation

from focusagent import SDOAgentArgs
from focusagent.agents.named import make_agent
from focusagent.agents.sdo.agent import SDOAgent
from focusagent.agents.sdo.plan import missing_target, steps_of, thoughts_of
from focusagent.axtree import AxTree, LineRanges
from focusagent.models.call import Call
from focusagent.retrieval import Query, Selection
from focusagent.signals import SignalKind

ROWS = "".join(f"\n\t[r{i}] row 'Order {i} of somebody else, nothing to do with it'" for i in range(60))
FORM = (
    "RootWebArea 'Checkout', url='http://shop.test/checkout'\n\t[1] textbox 'Name'\n\t[2] textbox 'Town'"
    "\n\t[3] checkbox 'I agree', checked='false'\n\t[4] button 'Order'" + ROWS
)
PLAN = "<think>fill it in</think>\n<action>\nfill('1', 'Ann')\nfill('2', 'Bath')\nclick('3')\nclick('4')\n</action>"
NEXT = "<think>again</think>\n<action>\nclick('300')\n</action>"
NAMED = FORM.replace("'Name'", "'Name' value='Ann', focused")
TOWN = NAMED.replace(", focused", "").replace("'Town'", "'Town' value='Bath', focused")
BANNER = "\n\t[299] dialog 'Cookies'\n\t\t[300] button 'Accept'"


@dataclass
class Finds:
    """A sub-call that keeps the form and says what the first field is for."""

    asked: list[Query]

    def select(self, query: Query) -> Selection:
        self.asked.append(query)
        return Selection(LineRanges.of([(1, 5)]), why={2: "takes the buyer's name"}, calls=(Call("sub"),))


ASKED: list[Query] = []


def finds() -> Finds:
    return Finds(ASKED)


@pytest.fixture(autouse=True)
def _forget() -> None:
    ASKED.clear()


def agent(*answers: str, **settings: Any) -> SDOAgent:
    made = SDOAgentArgs(SaysArgs(answers=list(answers)), retriever=f"{__name__}.finds", **settings).make_agent()
    assert isinstance(made, SDOAgent)
    return made


def test_a_plan_runs_on_while_nothing_happens() -> None:
    sdo = agent(PLAN)
    steps = [sdo.get_action(observation(page)) for page in (FORM, NAMED, TOWN)]
    assert [action for action, _ in steps] == ["fill('1', 'Ann')", "fill('2', 'Bath')", "click('3')"]
    assert [info.stats["retriever_calls"] for _, info in steps] == [1, 0, 0]
    assert [info.stats["sdo_planned_step"] for _, info in steps] == [0, 1, 1]
    assert [info.stats["sdo_observation_age"] for _, info in steps] == [0, 1, 2]
    assert [info.stats["axtree_tokens_pruned"] > 0 for _, info in steps] == [True, False, False]
    assert len(sdo.chat_llm.prompts) == 1
    assert all(info.extra_info["focusagent"]["because"] == "" for _, info in steps[1:])


def test_the_root_model_reads_the_observation_and_never_the_page() -> None:
    sdo = agent(PLAN)
    sdo.get_action(observation(FORM))
    (prompt,) = sdo.chat_llm.prompts
    assert "[1] textbox 'Name', purpose=\"takes the buyer's name\"" in prompt
    assert "somebody else" not in prompt
    assert "Observation 1, before step 0, because of the first page:" in prompt
    assert "sequence of actions" in prompt
    assert "Only a single action can be provided at once" not in prompt


def test_a_signal_drops_the_plan_and_brings_a_new_observation() -> None:
    sdo = agent(PLAN, NEXT)
    sdo.get_action(observation(FORM))
    action, info = sdo.get_action(observation(NAMED + BANNER))
    assert action == "click('300')"
    assert info.stats["signal_new_element"] == 1
    assert info.extra_info["focusagent"]["signals"][0]["kind"] == "new_element"
    prompt = sdo.chat_llm.prompts[-1]
    assert "Observation 1, before step 0, because of the first page: Checkout, 6 lines" in prompt
    assert "because of new_element (new: dialog, button)" in prompt
    assert "[300] button 'Accept'" in prompt
    assert sdo.actions == ["fill('1', 'Ann')", "click('300')"]
    assert not sdo.queue


def test_xray_shows_the_timeline_with_everything_escaped() -> None:
    sdo = agent(PLAN, NEXT)
    sdo.get_action(observation(FORM))
    sdo.get_action(observation(NAMED))
    error = "TimeoutError: <script>alert(1)</script>"
    _, info = sdo.get_action(observation(TOWN, last_action_error=error))
    page = info.html_page
    assert "Observations and signals so far" in page
    assert [word for word in ("fresh", "planned") if f'<tr class="{word}">' in page] == ["fresh", "planned"]
    assert "action_failure" in page
    assert "&lt;script&gt;alert(1)" in page
    assert "<script>alert" not in page


def test_a_failed_action_brings_a_new_plan() -> None:
    sdo = agent(PLAN, NEXT)
    sdo.get_action(observation(FORM))
    _, info = sdo.get_action(observation(FORM, last_action_error="TimeoutError: nothing there"))
    assert info.stats["signal_action_failure"] == 1
    assert ASKED[-1].last_action_error == "TimeoutError: nothing there"


def test_a_condition_that_is_not_watched_is_not_seen() -> None:
    watched = tuple(kind for kind in SignalKind if kind is not SignalKind.NEW_ELEMENT)
    sdo = agent(PLAN, NEXT, conditions=watched)
    sdo.get_action(observation(FORM))
    assert sdo.get_action(observation(NAMED + BANNER))[0] == "fill('2', 'Bath')"


def test_a_finished_plan_or_a_vanished_target_is_a_reason_to_look() -> None:
    sdo = agent(NEXT.replace("click('300')", "hover('4')"), PLAN)
    sdo.get_action(observation(FORM))
    with_counter = FORM.replace("'Checkout'", "'(1) Checkout'").replace("'I agree'", "'I agree', focused")
    action, info = sdo.get_action(observation(with_counter))
    assert action == "fill('1', 'Ann')"
    assert info.extra_info["focusagent"]["because"] == "the plan is done"
    redrawn = NAMED.replace("[2]", "[902]")
    _, info = sdo.get_action(observation(redrawn))
    assert info.extra_info["focusagent"]["because"] == "element 2 of the plan is gone"


def test_old_observations_fold_into_lines_and_the_list_is_bounded() -> None:
    sdo = agent(NEXT)
    for page in range(20):
        sdo.get_action(observation(FORM.replace("checkout'", f"checkout/{page}'")))
    prompt = sdo.chat_llm.prompts[-1]
    assert "(9 earlier observations)" in prompt
    assert [number for number in range(1, 21) if f"Observation {number}, " in prompt] == list(range(10, 21))
    assert prompt.count("textbox 'Town'") == 1


def test_the_arguments_are_checked_named_and_pickled() -> None:
    args = SDOAgentArgs(SaysArgs(), retriever="local")
    assert args.agent_name == "sdo-local__gpt-4.1"
    assert SDOAgentArgs(SaysArgs()).agent_name == "sdo__gpt-4.1"
    assert SDOAgentArgs(SaysArgs(), conditions=tuple(SignalKind)).agent_name == "sdo-plus__gpt-4.1"
    again = pickle.loads(pickle.dumps(args))
    assert again == args
    assert args.flags.extra_instructions.count("You plan ahead") == 1
    with pytest.raises(ValueError, match="unknown conditions: luck"):
        SDOAgentArgs(SaysArgs(), conditions=("luck",))


def test_answers_are_cut_into_single_actions() -> None:
    assert steps_of("fill('1', 'a\\nb')\n# then\nclick('2')") == ("fill('1', 'a\\nb')", "click('2')")
    assert steps_of("click('2'); click('3')") == ("click('2')", "click('3')")
    assert steps_of("click(the button)") == ("click(the button)",)
    assert steps_of(None) == ()


def test_each_action_has_a_thought_of_its_own_where_the_plan_gives_one() -> None:
    assert thoughts_of("Let me see.\nname\ntown", 2) == ("name", "town")
    assert thoughts_of("Let me see.", 3) == ("Let me see.", "As planned.", "As planned.")
    assert thoughts_of("One.\nTwo.", 1) == ("One.\nTwo.",)
    assert thoughts_of(None, 0) == ()


def test_a_bid_given_to_another_kind_of_element_is_missing() -> None:
    before, after = AxTree.parse("[1] button 'Go'"), AxTree.parse("[1] textbox 'Go'")
    assert missing_target("click('1')", before, before) == ""
    assert missing_target("click('1')", before, after) == "1"
    assert missing_target("noop()", before, after) == ""


def test_the_papers_name_watches_the_papers_four_conditions() -> None:
    kinds = {name: make_agent(name, SaysArgs()).signal_kinds for name in ("sdo", "sdo-plus", "sdo-local")}
    assert kinds["sdo"] == set(SignalKind) - {SignalKind.POSTCONDITION}
    assert kinds["sdo-plus"] == kinds["sdo-local"] == set(SignalKind)
