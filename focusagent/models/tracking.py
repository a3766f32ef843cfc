"""AgentLab's cost tracker: thread-local, so the thread that runs the agent's step reports what others have spent."""

from __future__ import annotations

from collections.abc import Iterable

from focusagent.models.call import Call


def report(calls: Iterable[Call]) -> None:
    """Add the calls to the tracker of this thread, if AgentLab has set one. The tracker knows no "unknown": such a
    cost counts as 0 there and has its flag in our own statistics. Input tokens include those read from a cache."""
    import agentlab.llm.tracking as tracking

    tracker = getattr(tracking.TRACKER, "instance", None)
    if isinstance(tracker, tracking.LLMTracker):
        for call in calls:
            tracker(call.input_tokens, call.output_tokens, call.cost or 0.0)
