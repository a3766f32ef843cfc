"""The root model's plan: single actions, and whether the next one can still be done on the page as it is now."""

from __future__ import annotations

from focusagent.actions import bids_of, calls
from focusagent.axtree import AxTree

PLANNED = "As planned."


def steps_of(answer: str | None) -> tuple[str, ...]:
    """The single actions of an answer, in order, as written. Text without a call stays whole, so that the
    environment says what is wrong with it."""
    text = (answer or "").strip()
    return tuple(call.text for call in calls(text)) or ((text,) if text else ())


def thoughts_of(think: str | None, count: int) -> tuple[str, ...]:
    """A thought for each of `count` actions: the last lines of the plan's thought where it has one a line, else the
    whole thought for the first action and a remark for the others."""
    lines = [line.strip() for line in (think or "").split("\n") if line.strip()]
    if 1 < count <= len(lines):
        return tuple(lines[-count:])
    return ((think or "").strip(), *[PLANNED] * (count - 1))[:count]


def missing_target(action: str, planned_on: AxTree, now: AxTree) -> str:
    """The bid that the action needs and that the page no longer has, or has on another kind of element; "" if none.

    A page that was drawn anew may have given the bid to something else without any change of text."""
    for bid in bids_of(action):
        before, after = (tree.by_bid.get(bid, 0) for tree in (planned_on, now))
        if not after or (before and planned_on.line(before).role != now.line(after).role):
            return bid
    return ""
