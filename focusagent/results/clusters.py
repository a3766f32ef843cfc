"""Figure 11 and Table 7: steps clustered by (original, pruned) tokens, on observations under 10k tokens."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from focusagent.results.table import Table
from focusagent.results.tasks import task_name

MAX_TOKENS = 10_000
NEIGHBOURHOOD = 0.03  # of MAX_TOKENS, in both directions
MIN_STEPS = 10
NOISE = -1


@dataclass(frozen=True)
class Clusters:
    """`steps` has the columns of Results.steps and `cluster` (-1: noise)."""

    steps: pd.DataFrame
    table: Table


def cluster_steps(steps: pd.DataFrame, name: str, title: str, lack: str | None = None) -> Clusters:
    """DBSCAN on both token counts over 10k. Radius and least size are ours: the papers do not give theirs.

    `lack` says what the steps lack to be those of Table 7: "" for nothing, None where they are others altogether. Only
    the published set is called Table 7."""
    known = steps[steps["axtree_tokens_shown"].notna() & (steps["axtree_tokens_full"] < MAX_TOKENS)].copy()
    known["cluster"] = _labels(known[["axtree_tokens_full", "axtree_tokens_shown"]])
    rows = []
    for label, group in known.groupby("cluster"):
        means = (group[column].mean() for column in ("axtree_tokens_full", "axtree_tokens_shown"))
        label_text = "noise" if label == NOISE else str(label)
        rows.append(
            (
                label_text,
                len(group),
                *(round(mean) for mean in means),
                100 * group["pruning"].mean(),
                _sites(group["task"]),
            )
        )
    columns = ("cluster", "steps", "original tokens", "shown tokens", "pruning %", "sites")
    rule = f"radius {NEIGHBOURHOOD:.0%} of that, at least {MIN_STEPS} steps"
    is_the_table = "This is Table 7: FocusAgent with gpt-4.1-mini on WebArena's test split, every task."
    is_not = "This is not Table 7" + (f": {lack}." if lack else ", which is FocusAgent with gpt-4.1-mini on WebArena.")
    notes = (
        is_the_table if lack == "" else is_not,
        f"DBSCAN on observations under {MAX_TOKENS:,} tokens, {rule}.",
    )
    heading = "Table 7, clusters of steps" if lack == "" else "Clusters of steps"
    return Clusters(known, Table(f"table_7_{name}", f"{heading}: {title}", columns, tuple(rows), notes))


def _sites(tasks: pd.Series[str]) -> str:
    """The sites of a cluster's steps with their numbers, the commonest first."""
    sites = tasks.map(lambda name: task_name(name).site).value_counts()
    return ", ".join(f"{site} {count}" for site, count in sites.items())


def _labels(points: pd.DataFrame) -> list[int]:
    if len(points) < MIN_STEPS:
        return [NOISE] * len(points)
    from sklearn.cluster import DBSCAN

    return list(DBSCAN(eps=NEIGHBOURHOOD, min_samples=MIN_STEPS).fit_predict(points.to_numpy() / MAX_TOKENS))
