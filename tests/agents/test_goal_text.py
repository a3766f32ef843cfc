"""The goal that a retriever reads: what the user asked, and what the user has said since."""

from __future__ import annotations

from typing import Any

import pytest

from focusagent.agents.shim import goal_text

ORDER = [{"type": "text", "text": "Order asset P55"}]


def said(*turns: str) -> list[dict[str, Any]]:
    return [{"role": "user", "message": turn} for turn in turns]


@pytest.mark.parametrize(
    ("obs", "goal"),
    [
        ({"goal_object": ORDER, "chat_messages": said("Order asset P55")}, "Order asset P55"),
        (
            {"goal_object": ORDER, "chat_messages": said("Order asset P55", "Actually order P77")},
            "Order asset P55\nActually order P77",
        ),
        ({"chat_messages": said("Order P1")}, "Order P1"),
        ({"goal": "Order P1"}, "Order P1"),
        ({}, ""),
        ({"goal_object": [*ORDER, {"type": "image_url", "image_url": {"url": "x"}}]}, "Order asset P55\n[image]"),
        ({"goal_object": ORDER, "chat_messages": [{"role": "assistant", "message": "goto P9"}, 7]}, "Order asset P55"),
        ({"goal_object": [7, {"text": None}], "chat_messages": None}, ""),
    ],
)
def test_goal_then_later_turns_newest_last(obs: dict[str, Any], goal: str) -> None:
    assert goal_text(obs) == goal
