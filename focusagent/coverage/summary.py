"""Figures over measured steps: shares with misses and intervals, by source and by size of page."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from focusagent.coverage.measure import Measured
from focusagent.results.statistics import Rate, success_rate


@dataclass(frozen=True)
class Summary:
    """One retriever on one group of steps. Rates are clustered by site or template; NaN where no step can tell.
    `rows` with a shared control shown, and those `orphaned` of what tells them apart, are summed over the steps."""

    retriever: str
    group: str
    steps: int
    coverage: Rate
    clean: Rate
    context: Rate
    answer: Rate
    pruning_mean: float
    pruning_total: float
    ms_median: float
    cost: float
    cost_unknown: bool
    fallbacks: int
    rows: int
    orphaned: int

    def as_json(self) -> dict[str, float | int | None]:
        """The contract's keys; None for what no step can tell."""
        figures: dict[str, float | int | None] = {
            "steps": self.steps,
            "coverage": self.coverage.mean,
            "coverage_clean": self.clean.mean,
            "coverage_context": self.context.mean,
            "coverage_answer": self.answer.mean,
            "pruning_mean": self.pruning_mean,
            "pruning_total": self.pruning_total,
            "ms_median": self.ms_median,
        }
        return {key: None if value is None or math.isnan(value) else value for key, value in figures.items()}


def summarise(retriever: str, measured: Sequence[Measured], group: str = "all") -> Summary:
    full, kept = sum(one.tokens_full for one in measured), sum(one.tokens_kept for one in measured)
    return Summary(
        retriever,
        group,
        len(measured),
        coverage=rate(measured, lambda one: one.covered),
        clean=rate((one for one in measured if one.step.clean), lambda one: one.covered),
        context=rate(measured, lambda one: one.in_context),
        answer=rate(measured, lambda one: one.answered),
        pruning_mean=fmean(one.pruning for one in measured) if measured else math.nan,
        pruning_total=1 - kept / full if full else math.nan,
        ms_median=median(one.milliseconds for one in measured) if measured else math.nan,
        cost=sum(one.cost or 0.0 for one in measured),
        cost_unknown=any(one.cost is None for one in measured),
        fallbacks=sum(bool(one.fallback) for one in measured),
        rows=sum(one.orphans.rows for one in measured),
        orphaned=sum(one.orphans.orphaned for one in measured),
    )


def rate(measured: Iterable[Measured], value: Callable[[Measured], bool | None]) -> Rate:
    """The share of steps for which `value` holds, among those where it is not None."""
    told = [(known, one.step.cluster) for one in measured if (known := value(one)) is not None]
    return success_rate([float(known) for known, _ in told], [cluster for _, cluster in told])


def by_group(retriever: str, measured: Sequence[Measured]) -> list[Summary]:
    """All steps, then each source where there are several, then pages up to and over LONG_PAGE tokens."""
    groups = {"all": list(measured)}
    sources = sorted({one.step.source for one in measured})
    if len(sources) > 1:
        groups |= {f"source {name}": [one for one in measured if one.step.source == name] for name in sources}
    groups["up to 10k tokens"] = [one for one in measured if not one.is_long]
    groups["over 10k tokens"] = [one for one in measured if one.is_long]
    return [summarise(retriever, members, name) for name, members in groups.items() if members]
