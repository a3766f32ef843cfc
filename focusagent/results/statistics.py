"""Rates with honest errors: clustered by task template, exact where nothing happened, paired where seeds match."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from focusagent.results.quantiles import t_quantile

if TYPE_CHECKING:
    import pandas as pd

LEVEL = 0.95


@dataclass(frozen=True)
class Rate:
    """A mean of `n` values in `clusters` templates. `standard_error` is NaN for a single cluster. `low` and `high`
    bound the mean at 95 %: Student's t on the clustered error, or exact where all values are 0 or all are 1."""

    mean: float
    standard_error: float
    n: int
    clusters: int
    low: float
    high: float
    count: float


@dataclass(frozen=True)
class Difference:
    """Mean of paired differences over `n` pairs; `noise` when its 95 % interval holds 0, or cannot be told."""

    mean: float
    standard_error: float
    n: int
    clusters: int
    noise: bool


def clustered_error(values: Sequence[float], clusters: Sequence[Hashable]) -> float:
    """Standard error of the mean of `values` whose errors are correlated within a cluster and not between clusters
    (the sandwich estimator for a mean, with the usual factor G/(G-1)). NaN for fewer than two clusters."""
    mean = sum(values) / len(values) if values else math.nan
    sums: dict[Hashable, float] = {}
    for value, cluster in zip(values, clusters, strict=True):
        sums[cluster] = sums.get(cluster, 0.0) + value - mean
    groups = len(sums)
    if groups < 2:
        return math.nan
    return math.sqrt(groups / (groups - 1) * sum(total**2 for total in sums.values())) / len(values)


def upper_bound(events: int, n: int, level: float = LEVEL) -> float:
    """The one-sided exact (Clopper-Pearson) bound: the rate above which so few events would be seen in less than
    1 - `level` of all samples of `n` independent trials. 1.0 for no trial."""
    if n <= 0 or events >= n:
        return 1.0
    if events == 0:
        return float(1 - (1 - level) ** (1 / n))
    from scipy.stats import beta

    return float(beta.ppf(level, events + 1, n - events))


def success_rate(values: Sequence[float], clusters: Sequence[Hashable]) -> Rate:
    """The mean of `values` in 0..1 with its clustered error. NaN throughout for no value."""
    n, groups = len(values), len(set(clusters))
    if not n:
        return Rate(math.nan, math.nan, 0, 0, math.nan, math.nan, 0)
    count = math.fsum(values)
    mean, error = count / n, clustered_error(values, clusters)
    if count == 0:
        return Rate(mean, error, n, groups, 0.0, upper_bound(0, n), count)
    if count == n:
        return Rate(mean, error, n, groups, 1 - upper_bound(0, n), 1.0, count)
    reach = _reach(error, groups)
    if math.isnan(reach):
        return Rate(mean, error, n, groups, math.nan, math.nan, count)
    return Rate(mean, error, n, groups, max(0.0, mean - reach), min(1.0, mean + reach), count)


def _reach(error: float, groups: int) -> float:
    """Half of the 95 % interval; NaN where the error is."""
    if math.isnan(error):
        return math.nan
    return t_quantile(0.5 + LEVEL / 2, groups - 1) * error


def paired_difference(episodes: pd.DataFrame, agent: str, baseline: str, value: str = "success") -> Difference:
    """How much more of `value` `agent` has than `baseline` on the same tasks with the same seeds and attacks.
    Repeated runs are averaged first. No pair gives NaN, which is noise."""
    pair = ["task", "seed", "attacks", "template"]
    ended = episodes[episodes[value].notna()]
    means = ended.groupby(["agent", *pair], dropna=False)[value].mean().unstack("agent")
    if agent not in means.columns or baseline not in means.columns:
        return Difference(math.nan, math.nan, 0, 0, True)
    both = means[[agent, baseline]].dropna()
    differences = list(both[agent] - both[baseline])
    templates = list(both.index.get_level_values("template"))
    if not differences:
        return Difference(math.nan, math.nan, 0, 0, True)
    mean, error, groups = (
        math.fsum(differences) / len(differences),
        clustered_error(differences, templates),
        len(set(templates)),
    )
    noise = mean == 0 or math.isnan(error) or abs(mean) <= _reach(error, groups)
    return Difference(mean, error, len(differences), groups, noise)
