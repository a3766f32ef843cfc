"""A backbone that says what it is told to, and an observation as BrowserGym makes it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from agentlab.llm import tracking
from agentlab.llm.base_api import AbstractChatModel, BaseModelArgs
from agentlab.llm.llm_utils import AIMessage


class Says(AbstractChatModel):
    """Answers with the given texts in turn (the last one for ever) and keeps the prompts it was sent."""

    def __init__(self, answers: list[str]) -> None:
        self.answers = answers
        self.prompts: list[str] = []

    def __call__(self, messages: Any) -> AIMessage:
        self.prompts.append(str(messages))
        tracker = getattr(tracking.TRACKER, "instance", None)
        if tracker is not None:
            tracker(1000, 10, 0.50)
        return AIMessage(self.answers[min(len(self.prompts), len(self.answers)) - 1])


@dataclass
class SaysArgs(BaseModelArgs):
    model_name: str = "gpt-4.1"
    answers: list[str] = field(default_factory=lambda: ["<think>so</think><action>click('a12')</action>"])

    def make_model(self) -> Says:
        return Says(self.answers)


def observation(axtree: str, **more: Any) -> dict[str, Any]:
    """An observation as it comes out of the shim."""
    return {
        "goal": "order the asset",
        "goal_object": ({"type": "text", "text": "order the asset"},),
        "chat_messages": (),
        "open_pages_urls": ("http://shop.test/",),
        "open_pages_titles": ("Shop",),
        "active_page_index": [0],
        "url": "http://shop.test/",
        "axtree_txt": axtree,
        "dom_txt": "",
        "pruned_html": "",
        "focused_element_bid": "",
        "last_action": "",
        "last_action_error": "",
        "screenshot": None,
    } | more
