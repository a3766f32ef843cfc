"""One step in numbers. AgentLab sums them and turns missing into 0, so what is unknown has a flag of its own."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import asdict
from typing import Any

from focusagent.actions import bids_of
from focusagent.axtree import AxTree
from focusagent.focused import Focused
from focusagent.models.call import Call
from focusagent.models.tokens import count_page


def step_stats(focused: Focused, action: str | None, prompt: str) -> dict[str, float]:
    """`prompt` is the backbone's whole prompt as text: it tells what AgentLab truncated after pruning."""
    selection = focused.selection
    calls = selection.calls
    shown = AxTree.parse(focused.text, "browsergym").by_bid
    return {
        "axtree_tokens_full": focused.tokens_full,
        "axtree_tokens_pruned": focused.tokens_pruned,
        "retriever_calls": len(calls),
        "retriever_input_tokens": sum(call.input_tokens for call in calls),
        "retriever_output_tokens": sum(call.output_tokens for call in calls),
        "retriever_cached_tokens": sum(call.cached_tokens for call in calls),
        "retriever_cost": sum(call.cost or 0.0 for call in calls),
        "retriever_cost_unknown": int(any(call.cost is None for call in calls)),
        "retriever_seconds": focused.seconds,
        "retriever_retries": sum(call.retries for call in calls),
        "retriever_fallback": int(selection.fallback is not None),
        "retriever_skipped": int(selection.skipped is not None),
        "retriever_reused": int(bool(selection.reused)),
        "sanitized_lines": focused.flagged.count,
        "action_bid_hidden": int(any(bid not in shown for bid in bids_of(action))),
        "truncated_after_pruning": int(bool(prompt) and focused.text not in prompt),
        "axtree_tokens_shown": _tokens_shown(focused, prompt),
    }


def _tokens_shown(focused: Focused, prompt: str) -> int:
    """Tokens of the tree that reached the backbone: AgentLab cuts whole lines from the bottom to fit its limit."""
    if not prompt or focused.text in prompt:
        return focused.tokens_pruned
    lines = focused.text.split("\n")
    kept = bisect_left(range(1, len(lines) + 1), True, key=lambda count: "\n".join(lines[:count]) not in prompt)
    return count_page("\n".join(lines[:kept]))


def step_record(focused: Focused, max_prompt_tokens: int | None) -> dict[str, Any]:
    """The step for `extra_info["focusagent"]`: plain data, so that any reader can load it."""
    selection = focused.selection
    return {
        "ranges": [list(pair) for pair in focused.ranges.pairs],
        "removed": [list(pair) for pair in focused.removed.pairs],
        "flagged": [list(pair) for pair in focused.flagged.pairs],
        "reused": [list(pair) for pair in selection.reused.pairs],
        "reasons": {number: list(reasons) for number, reasons in (focused.reasons or {}).items()},
        "reasoning": selection.reasoning,
        "why": dict(selection.why),
        "confidence": selection.confidence,
        "fallback": str(selection.fallback) if selection.fallback else None,
        "skip": str(selection.skipped) if selection.skipped else None,
        "no_reduction": not focused.removed,
        "pruned_axtree": focused.text,
        "effective_max_prompt_tokens": max_prompt_tokens,
        "unread": [list(pair) for pair in selection.unread.pairs],
        "notes": list(selection.notes),
        "calls": [_call_record(call) for call in selection.calls],
    }


def _call_record(call: Call) -> dict[str, Any]:
    """A call without the pixels of a screenshot, which the step holds already."""
    record = asdict(call)
    record["messages"] = [
        {**message, "content": [part for part in content if "text" in part]}
        if isinstance(content := message.get("content"), list)
        else message
        for message in call.messages
    ]
    return record
