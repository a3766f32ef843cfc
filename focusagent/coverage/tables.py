"""Summaries as CSV for programs and as Markdown for people."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from focusagent.coverage.summary import Summary
from focusagent.printing import csv_text
from focusagent.results.statistics import Rate

RATES = ("coverage", "clean", "context", "answer")


def to_csv(summaries: Iterable[Summary]) -> str:
    """One row a retriever and group; each rate with misses, n and 95 % bounds; empty for what is unknown."""
    parts = ("", "_misses", "_n", "_low", "_high")
    header = ["retriever", "group", "steps", *(f"{rate}{part}" for rate in RATES for part in parts)]
    header += ["pruning_mean", "pruning_total", "ms_median", "cost", "cost_unknown", "fallbacks", "rows", "orphans"]
    rows: list[list[str | int | float]] = []
    for one in summaries:
        rates = [figure for name in RATES for figure in _figures(getattr(one, name))]
        tail = [one.pruning_mean, one.pruning_total, one.ms_median, one.cost, int(one.cost_unknown), one.fallbacks]
        tail += [one.rows, one.orphaned]
        rows.append([one.retriever, one.group, one.steps, *map(_plain, [*rates, *tail])])
    return csv_text(header, rows)


def _figures(rate: Rate) -> list[float]:
    return [rate.mean, _misses(rate), rate.n, rate.low, rate.high]


def _misses(rate: Rate) -> int:
    return round(rate.n - rate.count)


def _plain(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.6g}"


def to_markdown(summaries: Sequence[Summary]) -> str:
    """A table a group; shares as percent with misses of n and the 95 % interval clustered by template."""
    groups = list(dict.fromkeys(one.group for one in summaries))
    return "\n".join(_group_table(group, [one for one in summaries if one.group == group]) for group in groups)


def _group_table(group: str, rows: Sequence[Summary]) -> str:
    head = [
        "retriever",
        "steps",
        "covered",
        "clean",
        "in context",
        "answers",
        "pruning mean",
        "total",
        "orphans",
        "ms",
        "cost",
    ]
    table = [_row(head), _row(["---"] * len(head)), *(_row(_cells(one)) for one in rows)]
    return f"### {group}\n\n" + "\n".join(table) + "\n"


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cells(one: Summary) -> list[str]:
    cost = "not measured" if one.cost_unknown else f"${one.cost:.4f}" if one.cost else "0"
    rates = [_rate(getattr(one, name)) for name in RATES]
    figures = [
        _percent(one.pruning_mean),
        _percent(one.pruning_total),
        f"{one.orphaned} of {one.rows}",
        f"{one.ms_median:.1f}",
        cost,
    ]
    return [one.retriever, str(one.steps), *rates, *figures]


def _rate(rate: Rate) -> str:
    if not rate.n:
        return "-"
    bounds = "" if math.isnan(rate.low) else f" [{100 * rate.low:.0f}, {100 * rate.high:.0f}]"
    return f"{_percent(rate.mean)}, {_misses(rate)} of {rate.n} missed{bounds}"


def _percent(share: float) -> str:
    return "-" if math.isnan(share) else f"{100 * share:.1f} %"
