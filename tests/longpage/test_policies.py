"""Policies are readers: they take the best match they see, act on nothing without a bid, and stop when stuck."""

from __future__ import annotations

import pytest

from focusagent.axtree import AxTree
from focusagent.longpage import SITES
from focusagent.longpage.template import COVERED, PATIENCE
from focusagent.scripted.policies import Plan, next_plan

REPLY = 'ada wrote "It works". Answer right under it: "Thanks"'
THREAD = """RootWebArea 'Thread'
\t[1] article ''
\t\t[2] link 'ada'
\t\t[3] paragraph ''
\t\t\tStaticText 'It works'
\t\t[4] button 'Reply'"""
UNSORTED = """RootWebArea 'cycling: Hot - Commonplace'
\t[1] heading 'cycling'
\t[2] article ''
\t\tStaticText 'started by bea'
\t\t[3] link '2 comments'
\t[4] article ''
\t\tStaticText 'started by carl'
\t\t[5] link '31 comments'
\t[6] article ''
\t\tStaticText 'started by dora'
\t\t[7] link '7 comments'"""


def _plan(goal: str, tree: str, *past: tuple[str, str]) -> Plan:
    return next_plan(goal, AxTree.parse(tree).lines, [action for action, _ in past], [note for _, note in past])


def test_the_same_thought_is_not_followed_for_ever() -> None:
    first = _plan(REPLY, THREAD)
    assert first == ["click('4')"]
    step = (first[0], first.note)
    assert _plan(REPLY, THREAD, *[step] * (PATIENCE - 1)) == first
    assert _plan(REPLY, THREAD, *[step] * PATIENCE)[0].startswith("report_infeasible(")


def test_a_notice_that_does_not_go_away_is_let_be() -> None:
    tree = THREAD + "\n\t[8] dialog 'Cookies'\n\t\t[9] button 'Reject all'"
    assert _plan(REPLY, tree) == ["click('9')"]
    assert _plan(REPLY, tree, *[("click('9')", COVERED)] * PATIENCE) == ["click('4')"]


def test_an_answer_is_posted_once() -> None:
    assert _plan(REPLY, THREAD, ("click('7')", "I write the answer.\nI post it."))[0].startswith("report_infeasible(")


@pytest.mark.parametrize("task", SITES["forum"].tasks.values(), ids=lambda task: task.name)
def test_nothing_without_a_bid_is_acted_on(task: object) -> None:
    lines = AxTree.parse("\n".join(line.split("] ")[-1] for line in THREAD.split("\n"))).lines
    goal = task.wordings[0].format_map(dict.fromkeys(("person", "quote", "text", "title", "forum", "flair"), "ada"))  # type: ignore[attr-defined]
    assert "('')" not in next_plan(goal, lines, [], [])[0]
    assert "('', " not in next_plan(goal, lines, [], [])[0]


def test_without_a_control_to_sort_the_longest_discussion_shown_is_named() -> None:
    goal = "Whose topic in cycling got the largest response of all? Tell me the user name."
    assert _plan(goal, UNSORTED) == ["send_msg_to_user('carl')"]
    assert _plan(goal, UNSORTED.replace("31 comments", "")) == ["send_msg_to_user('dora')"]
