"""FocusAgent around AgentLab's own GenericAgent: its prompt, its figures, what it leaves behind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from says import SaysArgs, observation

from focusagent import FocusAgentArgs, generic_agent_bt
from focusagent.agents.generic import ObservedAgent, ObservedAgentArgs
from focusagent.agents.named import make_agent
from focusagent.axtree import AxTree, LineRanges
from focusagent.models.call import Call
from focusagent.retrieval import Query, Selection

PAGE = "RootWebArea 'Assets', focused\n" + "\n".join(
    f"\t[a{i}] row ''\n\t\tStaticText 'P{i}'\n\t\t[b{i}] button 'Order P{i}'" for i in range(10, 210)
)


@dataclass
class Picks:
    """A retriever that keeps given lines and reports given calls."""

    pairs: tuple[tuple[int, int], ...] = ((1, 10),)
    calls: tuple[Call, ...] = ()
    asked: list[Query] | None = None

    def select(self, query: Query) -> Selection:
        if self.asked is not None:
            self.asked.append(query)
        return Selection(LineRanges.of(self.pairs), "the first rows", why={2: "first row"}, calls=self.calls)


def args(**settings: Any) -> FocusAgentArgs:
    return FocusAgentArgs(SaysArgs(), retriever=f"{__name__}.Picks", **settings)


def ready(agent_args: ObservedAgentArgs) -> ObservedAgent:
    agent = agent_args.make_agent()
    assert isinstance(agent, ObservedAgent)
    return agent


def test_the_final_prompt_holds_every_kept_line_with_its_bid() -> None:
    agent = ready(args())
    action, info = agent.get_action(observation(PAGE))
    (prompt,) = agent.chat_llm.prompts
    assert "## AXTree" in prompt
    kept = AxTree.parse(PAGE).lines[:10]
    assert all(line.text in prompt for line in kept)
    assert "... pruned 591 lines ..." in prompt
    assert "[b100]" not in prompt
    assert action == "click('a12')"
    assert info.stats["action_bid_hidden"] == 0
    assert info.stats["truncated_after_pruning"] == 0


def test_an_action_on_a_hidden_or_invented_bid_is_counted() -> None:
    for bid in ("b150", "zz9"):
        model = SaysArgs(answers=[f"<action>click('{bid}')</action>"])
        _, info = ready(FocusAgentArgs(model, retriever=f"{__name__}.Picks")).get_action(observation(PAGE))
        assert info.stats["action_bid_hidden"] == 1


def test_cost_is_the_sum_of_both_models_and_known_apart() -> None:
    calls = (Call("light", cost=0.004, input_tokens=300, output_tokens=5), Call("light", cost=0.006, input_tokens=200))
    _, info = ready(args(retriever_kwargs={"calls": calls})).get_action(observation(PAGE))
    assert info.stats["cost"] == pytest.approx(0.51)
    assert info.stats["retriever_cost"] == pytest.approx(0.01)
    assert info.stats["input_tokens"] == 1500
    assert info.stats["retriever_input_tokens"] == 500
    assert info.stats["retriever_cost_unknown"] == 0


def test_an_unknown_price_has_its_flag() -> None:
    calls = (Call("light", cost=None, input_tokens=300),)
    _, info = ready(args(retriever_kwargs={"calls": calls})).get_action(observation(PAGE))
    assert info.stats["retriever_cost_unknown"] == 1
    assert info.stats["cost"] == pytest.approx(0.50)


def test_stats_hold_numbers_only_and_the_record_is_plain_data() -> None:
    import json

    _, info = ready(args()).get_action(observation(PAGE))
    assert all(isinstance(value, (int, float)) for value in info.stats.values())
    record = info.extra_info["focusagent"]
    assert record["ranges"] == [[1, 10]]
    assert record["why"] == {2: "first row"}
    assert record["effective_max_prompt_tokens"] == 40_000
    assert json.loads(json.dumps(record))["fallback"] is None


def test_a_limit_that_truncates_after_pruning_is_recorded_with_the_smaller_limit() -> None:
    agent_args = args(retriever_kwargs={"pairs": ((1, 600),)}, simplify=False)
    agent_args.chat_model_args.max_input_tokens = 4_000
    _, info = ready(agent_args).get_action(observation(PAGE))
    assert info.extra_info["focusagent"]["effective_max_prompt_tokens"] == 4_000
    assert info.stats["truncated_after_pruning"] == 1
    assert 0 < info.stats["axtree_tokens_shown"] < info.stats["axtree_tokens_pruned"]


def test_the_query_brings_history_error_focus_and_tabs() -> None:
    asked: list[Query] = []
    agent = ready(args())
    agent.focuser.retriever = Picks(asked=asked)
    agent.get_action(observation(PAGE))
    agent.get_action(observation(PAGE, last_action_error="TimeoutError", focused_element_bid="a12"))
    query = asked[1]
    assert query.goal == "order the asset"
    assert query.history == (("so", "click('a12')"),)
    assert (query.last_action, query.last_action_error, query.focused_bid) == ("click('a12')", "TimeoutError", "a12")
    assert query.tabs == ("Shop",)


@pytest.mark.parametrize("name", ["focus", "generic"])
def test_the_observation_handed_in_is_not_changed(name: str) -> None:
    agent = ready(args() if name == "focus" else generic_agent_bt(SaysArgs()))
    obs = observation(PAGE)
    before = dict(obs)
    agent.get_action(obs)
    assert obs == before


def test_generic_agent_bt_truncates_from_the_bottom() -> None:
    page = PAGE + "\n" + PAGE.replace("P", "Q").replace("[a", "[c").replace("[b", "[d")
    agent = ready(generic_agent_bt(SaysArgs(), max_prompt_tokens=5_000))
    _, info = agent.get_action(observation(page))
    (prompt,) = agent.chat_llm.prompts
    assert "[a10]" in prompt
    assert "[d209]" not in prompt
    assert info.stats["truncated_after_pruning"] == 1
    assert info.stats["axtree_tokens_pruned"] == info.stats["axtree_tokens_full"]


def test_one_huge_line_leaves_the_rest_of_the_page() -> None:
    entries = "entry nine " * 36_000
    page = f"RootWebArea 'Log'\n\t[1] heading 'Server log'\n\tStaticText {entries!r}\n\t[a12] button 'Order'"
    agent = FocusAgentArgs(SaysArgs(), retriever="all", simplify=False, skip_below=0).make_agent()
    _, info = agent.get_action(observation(page))
    (prompt,) = agent.chat_llm.prompts
    assert "[1] heading 'Server log'" in prompt
    assert "[a12] button 'Order'" in prompt
    assert " characters)'" in prompt
    assert info.stats["truncated_after_pruning"] == 0
    assert 25_000 < info.stats["axtree_tokens_pruned"] < 33_000


def test_an_empty_page_is_never_asked_about() -> None:
    for name in ("focus", "defense-focus", "defense-focus-local", "sdo"):
        agent = make_agent(name, SaysArgs()).make_agent()
        agent.focuser.retriever = Unasked()
        _, info = agent.get_action(observation("RootWebArea ''"))
        assert info.extra_info["focusagent"]["skip"] == "empty_page"
        assert info.stats["retriever_calls"] == 0


class Unasked:
    def select(self, query: object) -> object:
        raise AssertionError("asked")
