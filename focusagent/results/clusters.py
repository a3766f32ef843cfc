"""Figure 11 and Table 7: steps clustered by (original, pruned) tokens, on observations under 10k tokens."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from focusagent.results.table import Table

MAX_TOKENS = 10_000
NEIGHBOURHOOD = 0.03  # of MAX_TOKENS, in both directions
MIN_STEPS = 10
NOISE = -1


@dataclass(frozen=True)
class Clusters:
    """`steps` has the columns of Results.steps and `cluster` (-1: noise)."""

    steps: pd.DataFrame
    table: Table


def cluster_steps(steps: pd.DataFrame, name: str, title: str) -> Clusters:
    """DBSCAN on both token counts over 10k. Radius and least size are ours: the papers do not give theirs."""
    known = steps[steps["axtree_tokens_shown"].notna() & (steps["axtree_tokens_full"] < MAX_TOKENS)].copy()
    known["cluster"] = _labels(known[["axtree_tokens_full", "axtree_tokens_shown"]])
    rows = []
    for label, group in known.groupby("cluster"):
        tasks = group["task"].value_counts()
        means = (group[column].mean() for column in ("axtree_tokens_full", "axtree_tokens_shown"))
        label_text = "noise" if label == NOISE else str(label)
        rows.append(
            (label_text, len(group), *(round(mean) for mean in means), 100 * group["pruning"].mean(), tasks.index[0])
        )
    columns = ("cluster", "steps", "original tokens", "shown tokens", "pruning %", "commonest task")
    rule = f"radius {NEIGHBOURHOOD:.0%} of that, at least {MIN_STEPS} steps"
    notes = (f"DBSCAN on observations under {MAX_TOKENS:,} tokens, {rule}.",)
    return Clusters(
        known, Table(f"table_7_{name}", f"Clusters of steps (Table 7): {title}", columns, tuple(rows), notes)
    )


def _labels(points: pd.DataFrame) -> list[int]:
    if len(points) < MIN_STEPS:
        return [NOISE] * len(points)
    from sklearn.cluster import DBSCAN

    return list(DBSCAN(eps=NEIGHBOURHOOD, min_samples=MIN_STEPS).fit_predict(points.to_numpy() / MAX_TOKENS))
