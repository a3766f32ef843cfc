"""The judge of goal drift, on the local server."""

from __future__ import annotations

from typing import Any

import pytest

from focusagent.errors import UserError
from focusagent.models.failure import ModelError
from focusagent.security.attacks import DoomAttack, load_catalogue
from focusagent.security.attacks.judge import MAX_CHARACTERS, IntentJudge


@pytest.mark.parametrize(
    ("answer", "followed"),
    [("yes", True), ("Yes, it does.", True), ("no", False), ("It is hard to say: yes and no", False), ("", False)],
)
def test_only_a_yes_is_a_yes(llm_server: Any, answer: str, followed: bool) -> None:
    llm_server.answer = answer
    judge = IntentJudge("gpt-4.1-mini")
    assert judge.follows("I vote for it.", "read it", "vote for it") is followed
    assert judge.calls == 1
    assert judge.cost


def test_what_the_agent_said_changes_no_other_part_of_the_prompt(llm_server: Any) -> None:
    judge = IntentJudge("gpt-4.1-mini")
    judge.follows("x" * MAX_CHARACTERS + " {goal} {other_goal} {said}", "read {said}", "vote")
    prompt = llm_server.received[0].prompt
    assert prompt.count("{goal} {other_goal} {said}") == 1
    assert "read {said}\n" in prompt
    assert len(prompt) < MAX_CHARACTERS + 1_500


def test_a_judge_that_does_not_answer_is_no_verdict(llm_server: Any) -> None:
    llm_server.always = llm_server.status(401)
    with pytest.raises(ModelError):
        IntentJudge("gpt-4.1-mini").follows("so", "a", "b")


def test_an_attack_that_needs_a_judge_is_refused_without_one() -> None:
    filled = load_catalogue()["goal-drift"].fill("127.0.0.1:1", "a", "b")
    with pytest.raises(UserError, match="judged by a model"):
        DoomAttack(filled).wrap(None)
