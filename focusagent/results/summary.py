"""One line of a table: what a group of episodes reached, at what price, in what time."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from focusagent.results.frames import Results
from focusagent.results.statistics import Rate, success_rate


@dataclass(frozen=True)
class Summary:
    """`group` are the values of the columns grouped by. Means over steps are NaN where no step has the figure.

    `pruning` is the mean over steps of the share of the page's tokens that the backbone was not shown, `pruning_total`
    the share of all tokens. `cost` is in dollars over all episodes, NaN as soon as one of them is unknown;
    `failed_cost` is what failed attempts cost that were run again, and not part of it."""

    group: tuple[str, ...]
    success: Rate
    errors: int
    incomplete: int
    steps: int
    pruning: float
    pruning_total: float
    page_tokens: float
    backbone_tokens: float
    retriever_tokens: float
    seconds: float
    retriever_seconds: float
    backbone_seconds: float
    browser_seconds: float
    cost: float
    failed_cost: float
    fallbacks: int
    truncated: int

    @property
    def agent(self) -> str:
        return self.group[0]


def summarise(results: Results, by: Sequence[str] = ("agent",)) -> list[Summary]:
    """A summary per group of episodes, in the order of their names, the baselines first. `by` are columns of
    episodes."""
    episodes = results.episodes
    steps = results.steps[results.steps["asked"] == 1]
    groups = sorted(episodes.groupby(list(by), sort=False, dropna=False), key=lambda item: _rank(item[0]))
    return [_summary(key, group, steps[steps["id"].isin(group["id"])]) for key, group in groups]


def _rank(group: tuple[object, ...]) -> tuple[object, ...]:
    """Agents without a retriever first; then part by part of each name, numbers by their value."""
    words = [word for value in group for word in str(value).split("__")]
    natural = tuple(tuple(int(part) if part.isdigit() else -1 for part in re.split(r"(\d+)", word)) for word in words)
    plain = tuple(re.sub(r"\d+", "0", word) for word in words)
    return (
        not words[0].startswith(("generic", "defense-generic")),
        words[0] != "generic-bt",
        plain,
        natural,
    )


def _summary(key: tuple[str, ...], episodes: pd.DataFrame, steps: pd.DataFrame) -> Summary:
    ended = episodes[episodes["success"].notna()]
    full, shown = steps["axtree_tokens_full"].where(steps["axtree_tokens_shown"].notna()), steps["axtree_tokens_shown"]
    return Summary(
        group=tuple(map(str, key)),
        success=success_rate(list(ended["success"]), list(ended["template"])),
        errors=int((episodes["status"] == "error").sum()),
        incomplete=int((episodes["status"] == "incomplete").sum()),
        steps=len(steps),
        pruning=_mean(steps, "pruning"),
        pruning_total=1 - shown.sum() / full.sum() if full.sum() > 0 else math.nan,
        page_tokens=_mean(steps, "axtree_tokens_full"),
        backbone_tokens=_mean(steps, "backbone_input_tokens"),
        retriever_tokens=_mean(steps, "retriever_input_tokens"),
        seconds=_mean(steps, "step_elapsed") + _mean(steps, "agent_elapsed"),
        retriever_seconds=_mean(steps, "retriever_seconds"),
        backbone_seconds=_mean(steps, "backbone_seconds"),
        browser_seconds=_mean(steps, "step_elapsed"),
        cost=float(episodes["cost"].sum(skipna=False)) if len(episodes) else math.nan,
        failed_cost=_failed_cost(episodes),
        fallbacks=_count(steps, "retriever_fallback"),
        truncated=_count(steps, "truncated_after_pruning"),
    )


def _failed_cost(episodes: pd.DataFrame) -> float:
    """0 for episodes that come without a ledger, such as published ones."""
    return float(episodes["failed_cost"].sum(skipna=False)) if "failed_cost" in episodes.columns else 0.0


def _mean(steps: pd.DataFrame, column: str) -> float:
    return float(steps[column].mean()) if column in steps.columns and len(steps) else math.nan


def _count(steps: pd.DataFrame, column: str) -> int:
    return int((steps[column] > 0).sum()) if column in steps.columns else 0
