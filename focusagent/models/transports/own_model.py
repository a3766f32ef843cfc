"""Models that only their own Args can make: the scripted backbone, Bedrock, Hugging Face, a user's own class."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from focusagent.models.endpoint import Endpoint
from focusagent.models.figures import dollars, whole
from focusagent.models.request import Reply, Request, Usage, text_of


class OwnModel:
    """Calls the model as AgentLab does, one call at a time. What it reports to AgentLab's tracker is taken down as the
    call's usage instead, since whoever makes the call reports it."""

    limit_names: tuple[str, ...] = ()

    def __init__(self, endpoint: Endpoint) -> None:
        self.model = endpoint.args.make_model()
        self._one_at_a_time = threading.Lock()
        for setting, value in (("max_retry", 1), ("min_retry_wait_time", 0)):
            if hasattr(self.model, setting):
                setattr(self.model, setting, value)

    def send(self, request: Request) -> Reply:
        with self._one_at_a_time, _apart_from_tracker() as used:
            answer = self.model([dict(message) for message in request.messages])
        content = answer.get("content") if isinstance(answer, Mapping) else answer
        return Reply(text_of(content), usage=_usage(used))


@contextmanager
def _apart_from_tracker() -> Iterator[list[Any]]:
    """AgentLab's tracker of this thread replaced for one call; yields a list that then holds the replacement."""
    tracking = sys.modules.get("agentlab.llm.tracking")
    used: list[Any] = []
    if tracking is None:
        yield used
        return
    before = getattr(tracking.TRACKER, "instance", None)
    tracking.TRACKER.instance = tracker = tracking.LLMTracker()
    try:
        yield used
        used.append(tracker)
    finally:
        tracking.TRACKER.instance = before


def _usage(used: list[Any]) -> Usage | None:
    """None where the model reported nothing. AgentLab prices what it does not know at 0: that is no cost."""
    if not used:
        return None
    tokens, output = whole(used[0].input_tokens), whole(used[0].output_tokens)
    cost = dollars(used[0].cost)
    return Usage(tokens, output, cost=cost or None) if tokens or output or cost else None
