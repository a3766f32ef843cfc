"""Reuse in FocusAgent: cases 20 and 21 of what goes wrong in other agents, through the agent itself."""

from __future__ import annotations

from dataclasses import dataclass

from says import SaysArgs, observation

from focusagent import FocusAgentArgs
from focusagent.agents.focus_agent import FocusAgent
from focusagent.axtree import LineRanges
from focusagent.retrieval import Query, Selection

FORM = "RootWebArea 'Sign in'\n\t[141] textbox 'Code'\n\t[150] button 'Verify', disabled=True\n\t[201] button 'Back'"
TIMEOUT = "TimeoutError: Locator.click: Timeout 500ms exceeded.\nCall log:\n" + "waiting for locator\n" * 100
ASKED: list[Query] = []


@dataclass
class Asked:
    """Keeps everything and remembers what it was asked."""

    def select(self, query: Query) -> Selection:
        ASKED.append(query)
        return Selection(LineRanges.all(len(query.tree)))


def agent(action: str) -> FocusAgent:
    ASKED.clear()
    answers = SaysArgs(answers=[f"<think>so</think><action>{action}</action>"])
    args = FocusAgentArgs(answers, retriever=f"{__name__}.Asked", reuse="signals", skip_below=0)
    made: FocusAgent = args.make_agent()
    return made


def test_a_button_that_typing_enabled_is_asked_about() -> None:
    focus = agent("fill('141', '123456')")
    focus.get_action(observation(FORM))
    after = FORM.replace("'Code'", "'Code' value='123456', focused").replace(", disabled=True", "")
    _, info = focus.get_action(observation(after))
    assert len(ASKED) == 2
    assert info.stats["signal_exogenous_event"] == 1
    assert "[150] button 'Verify'\n" in str(focus.chat_llm.prompts[-1]).replace("\\n", "\n")


def test_typing_alone_asks_nobody() -> None:
    focus = agent("fill('141', '123456')")
    focus.get_action(observation(FORM))
    _, info = focus.get_action(observation(FORM.replace("'Code'", "'Code' value='123456', focused")))
    assert len(ASKED) == 1
    assert info.stats["retriever_reused"] == 1
    assert info.stats["look_carried"] == 1
    assert "Observations and signals so far" in info.html_page
    assert isinstance(info.extra_info, dict)


def test_a_page_too_small_for_a_retriever_says_so_in_the_timeline() -> None:
    focus = agent("noop()")
    focus.focuser.skip_below = 500
    _, info = focus.get_action(observation(FORM))
    assert not ASKED
    assert "no retriever was asked: small_page" in info.html_page
    assert not any(info.stats[f"look_{look}"] for look in ("fresh", "incremental", "carried"))


def test_a_failed_action_on_an_identical_page_is_looked_into() -> None:
    focus = agent("click('201')")
    focus.get_action(observation(FORM))
    focus.get_action(observation(FORM, last_action_error=TIMEOUT))
    assert ASKED[-1].last_action_error == "TimeoutError: Locator.click: Timeout 500ms exceeded."
    assert ASKED[-1].within is None


def test_a_page_that_changed_while_waiting_is_looked_into() -> None:
    focus = agent("noop()")
    focus.get_action(observation(FORM))
    focus.get_action(observation(FORM + "\n\t[300] StaticText 'Your session ends soon'"))
    assert len(ASKED) == 2
