"""Why `local` kept a line, in a few words."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from focusagent.retrieval.base import Query
from focusagent.retrieval.local.context import musts
from focusagent.retrieval.local.page import PageView

PARTS = {
    "precision": "its words are the goal's",
    "strength": "the goal's words",
    "phrase": "the goal names it",
    "quote": "the goal quotes it",
    "semantic": "close to the goal in meaning",
    "asked": "may answer the question",
    "kind": "its role",
    "state": "its state",
    "in": "the region around it",
    "fact": "a figure",
    "control": "a control that the goal names",
}
PLACES = {"label": " (on its label)", "group": " (in its row or group)", "ancestor": " (on what contains it)"}


def explain(query: Query, page: PageView, kept: list[bool], parts: NDArray[np.float64]) -> dict[int, str]:
    """Line number -> reason for each kept line; `parts` is what each feature (columns) adds to the line's score."""
    from focusagent.retrieval.local.features import NAMES

    must = set(musts(query, page))
    serving: dict[int, int] = {}
    for index in range(len(kept)):
        if kept[index]:
            for context in (page.ancestor[index], page.label[index]):
                serving.setdefault(context, index)
    order = np.argsort(-parts, axis=1)[:, :2] if len(parts) else parts
    reasons = {}
    for index in np.flatnonzero(kept).tolist():
        if index in must:
            reasons[index + 1] = "root, dialog, focus or last action"
            continue
        best = [reason(NAMES[column]) for column in order[index] if parts[index, column] > 0.1]
        if index in serving:
            best.append(f"names line {serving[index] + 1}")
        reasons[index + 1] = "; ".join(dict.fromkeys(best)) or "cheaper to keep than to mark as removed"
    return reasons


def reason(feature: str) -> str:
    """A feature's name in words."""
    part, _, place = feature.partition("_")
    if part == "kind" or feature.startswith(("in_", "state_")):
        return f"{PARTS[part]}: {place}"
    return PARTS.get(part, feature.replace("_", " ")) + PLACES.get(place, "")
