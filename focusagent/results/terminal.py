"""Results in a terminal: a line an agent, then what the figures leave out."""

from __future__ import annotations

import math
from typing import Any

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

from focusagent.printing import add_row, show, tell
from focusagent.results.frames import Results
from focusagent.results.statistics import Rate
from focusagent.results.summary import Summary, summarise


def print_results(results: Results, console: Console) -> None:
    attacked = bool((results.episodes["attacks"] != "").any())
    table = Table(box=SIMPLE, pad_edge=False)
    columns = ["agent", *(["attack"] if attacked else []), "success", "pruning", "tokens"]
    rows, shared = summarise(results, ["agent", "attacks"] if attacked else ["agent"]), _shared_backbone(results)
    names = [row.agent.replace(f"__{shared}", "", 1) if shared else row.agent for row in rows]
    for column in [*columns, "sec", "cost", "errors"]:
        justify: Any = "left" if column in ("agent", "attack") else "right"
        folds = column in ("agent", "attack", "success")
        table.add_column(column, justify=justify, overflow="fold", no_wrap=not folds)
    for name, row in zip(names, rows, strict=True):
        figures = (rate_text(row.success), share(row.pruning), number(row.backbone_tokens), number(row.seconds, 1))
        groups = (value or "none" for value in row.group[1:])
        add_row(table, [name, *groups, *figures, _dollars(row), str(row.errors)])
    show(console, table)
    if shared:
        tell(console, f"Backbone: {shared}.", wrap=True)
    tell(
        console,
        "Pruning, the backbone's tokens and seconds are means over steps; ± is a standard error, clustered by task"
        " template.",
        wrap=True,
    )
    if failed := sum(row.failed_cost for row in rows if not math.isnan(row.failed_cost)):
        tell(console, f"Failed runs that were run again cost ${failed:,.2f} more.", wrap=True)
    for line in remarks(results):
        tell(console, line)


def _dollars(row: Summary) -> str:
    return "n/a" if math.isnan(row.cost) else f"${row.cost:,.2f}"


def _shared_backbone(results: Results) -> str:
    """The backbone's part of the agents' names where all have the same; it would fold every line of a terminal."""
    parts = {agent.split("__")[1] if "__" in agent else "" for agent in results.episodes["agent"]}
    return parts.pop() if len(parts) == 1 else ""


def remarks(results: Results) -> list[str]:
    """What a reader must know beside the figures."""
    lost = [f"Left out: {left.folder.rpartition('/')[2]} {left.reason}" for left in results.left_out]
    return [*results.notes, *lost]


def rate_text(rate: Rate) -> str:
    """`12/15 = 80.0 % ±10.3`: count, share, clustered standard error; a bound where none or all did."""
    if not rate.n:
        return "no episode"
    head = f"{rate.count:g}/{rate.n} = {100 * rate.mean:.1f} %"
    if rate.count == 0:
        return f"{head} (< {100 * rate.high:.1f} %)"
    if rate.count == rate.n:
        return f"{head} (> {100 * rate.low:.1f} %)"
    return head if math.isnan(rate.standard_error) else f"{head} ±{100 * rate.standard_error:.1f}"


def share(value: float) -> str:
    return "n/a" if math.isnan(value) else f"{value:.0%}"


def number(value: Any, digits: int = 0) -> str:
    return "n/a" if math.isnan(value) else f"{value:,.{digits}f}"
