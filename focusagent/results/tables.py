"""The report's tables of what was measured. Scripted backbones and language models never stand in one table."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import pandas as pd

from focusagent.results.frames import Results, without_attacks
from focusagent.results.statistics import paired_difference, success_rate
from focusagent.results.summary import Summary, summarise
from focusagent.results.table import Cell, Table, file_name
from focusagent.scripted.name import is_scripted

BASELINE = "generic-bt"
SCRIPTED_NOTE = (
    "Scripted backbone: an instrument that acts by hand-written policies on what its prompt shows. These figures say"
    " what an agent leaves visible, and nothing about a language model."
)
DEAF_NOTE = (
    "ASR is n/a for a script that no page can persuade; experiments/security_table.py measures with one that obeys."
)
FAILED_NOTE = "failed-runs$ is what failed runs cost that were run again; cost$ does not hold it."
NOISE_NOTE = "Errors are standard errors, clustered by task template."


def split_by_backbone(results: Results) -> Iterator[tuple[str, Results]]:
    """("llm", those with language models), ("scripted", those with a script), without empty ones."""
    scripted = results.episodes["backbone"].map(is_scripted)
    for kind, mask in (("llm", ~scripted), ("scripted", scripted)):
        episodes = results.episodes[mask.astype(bool)]
        if len(episodes):
            yield kind, results.where(episodes["id"])


@dataclass(frozen=True)
class Part:
    """The results on one benchmark with one kind of backbone; `name` is fit for a file's."""

    results: Results
    name: str
    title: str
    scripted: bool


def parts_of(results: Results) -> Iterator[Part]:
    """Each kind of backbone and each benchmark in turn."""
    for kind, whole in split_by_backbone(results):
        scripted = kind == "scripted"
        for benchmark in dict.fromkeys(whole.episodes["benchmark"]):
            part = whole.where(whole.episodes["id"][whole.episodes["benchmark"] == benchmark])
            title = f"{benchmark or 'other tasks'}, {'scripted backbone' if scripted else 'language models'}"
            yield Part(part, file_name(f"{benchmark or 'other'}_{kind}"), title, scripted)


def measured_tables(results: Results) -> Iterator[Table]:
    """All tables of every part that have a row."""
    for part in parts_of(results):
        notes = (SCRIPTED_NOTE,) if part.scripted else ()
        for table in MEASURES:
            made = table(part.results, part.name, part.title)
            if made.rows:
                yield Table(made.name, made.title, made.columns, made.rows, (*made.notes, *notes))


def agents_table(results: Results, name: str, title: str) -> Table:
    """Success, pruning and price of each agent, without attacks."""
    calm = results.where(results.episodes["id"][results.episodes["attacks"] == ""])
    columns = (
        "agent episodes solved success% ± low% high% pruning% pruned-of-all% backbone-tokens retriever-tokens cost$"
        " failed-runs$"
    )
    rows = tuple(_agent_row(row) for row in summarise(calm))
    notes = (NOISE_NOTE, FAILED_NOTE)
    return Table(f"agents_{name}", f"Success, pruning and price: {title}", _columns(columns), rows, notes)


def _agent_row(row: Summary) -> tuple[Cell, ...]:
    rate = row.success
    shares = (rate.mean, rate.standard_error, rate.low, rate.high, row.pruning, row.pruning_total)
    return (
        row.agent,
        rate.n,
        int(rate.count),
        *(100 * value for value in shares),
        row.backbone_tokens,
        row.retriever_tokens,
        row.cost,
        row.failed_cost,
    )


def differences_table(results: Results, name: str, title: str) -> Table:
    """Each agent against the baseline with the same backbone, on the same tasks with the same seeds."""
    rows = []
    episodes = results.episodes[results.episodes["attacks"] == ""]
    episodes = episodes.sort_values("agent")
    names = dict(zip(episodes["agent"], episodes["name"], strict=True))
    backbones = dict(zip(episodes["agent"], episodes["backbone"], strict=True))
    for agent in names:
        base = next(
            (other for other in names if names[other] == BASELINE and backbones[other] == backbones[agent]), None
        )
        if base is None or base == agent:
            continue
        difference = paired_difference(episodes, agent, base)
        verdict = "noise" if difference.noise else "more" if difference.mean > 0 else "less"
        figures = (100 * difference.mean, 100 * difference.standard_error)
        rows.append((agent, base, difference.n, *figures, verdict))
    notes = ("Points of success against the baseline; noise where the 95 % interval of paired differences holds 0.",)
    columns = ("agent", "baseline", "pairs", "difference", "±", "verdict")
    return Table(f"differences_{name}", f"Paired differences: {title}", columns, tuple(rows), notes)


def kinds_table(results: Results, name: str, title: str) -> Table:
    """By kind of task and, where the benchmark has one, size of page."""
    rows = []
    calm = results.where(results.episodes["id"][results.episodes["attacks"] == ""])
    for row in summarise(calm, ["agent", "kind", "size"]):
        agent, kind, size = row.group
        rate = row.success
        rows.append(
            (
                agent,
                kind or "-",
                size or "-",
                rate.n,
                int(rate.count),
                100 * rate.mean,
                100 * row.pruning,
                row.page_tokens,
            )
        )
    columns = _columns("agent kind size episodes solved success% pruning% page-tokens")
    return Table(f"kinds_{name}", f"By kind of task: {title}", columns, tuple(rows))


def latency_table(results: Results, name: str, title: str) -> Table:
    """Where a step's time goes."""
    rows = tuple(
        (row.agent, row.steps, row.seconds, row.retriever_seconds, row.backbone_seconds, row.browser_seconds)
        for row in summarise(without_attacks(results))
    )
    columns = ("agent", "steps", "seconds a step", "retriever", "backbone", "browser")
    notes = ("Means over steps; the rest is AgentLab's own. Episodes that ran side by side slow each other down.",)
    return Table(f"latency_{name}", f"Seconds a step: {title}", columns, rows, notes)


def cost_table(results: Results, name: str, title: str) -> Table:
    """Recorded dollars beside the same tokens priced with and without a discount for cached input."""
    from focusagent.results.pricing import cost_rows

    columns = (
        "agent",
        "recorded $",
        "priced $, no cache",
        "priced $, cache discount",
        "pruned %",
        "pays from %",
        "pays",
    )
    notes = (
        "Priced by litellm's table from the recorded tokens; n/a where a price is unknown. `pays from` is the least"
        " share of the page that must be pruned, with these prices, prompts and outputs, for the retriever to pay.",
    )
    return Table(f"cost_{name}", f"Price and break-even: {title}", columns, tuple(cost_rows(results)), notes)


def may_obey(episodes: pd.DataFrame) -> pd.Series[bool]:
    """Whether an attack could succeed at all: a script does what pages say only where it is built to."""
    return ~episodes["backbone"].map(is_scripted).astype(bool) | (episodes["obeys"] == 1)


def attack_table(results: Results, name: str, title: str) -> Table:
    """Attack success (ASR) and task success (TSR) by attack; no event has an exact upper bound."""
    rows = []
    episodes = results.episodes[results.episodes["success"].notna()]
    attacked = set(episodes["agent"][episodes["attacks"] != ""])
    episodes = episodes[episodes["agent"].isin(attacked)]
    for (agent, attack), group in episodes.groupby(["agent", "attacks"], sort=False):
        templates = list(group["template"])
        task = success_rate(list(group["success"]), templates)
        hit = success_rate(list(group["attacked"]), templates) if attack and may_obey(group).all() else None
        figures = (100 * hit.mean, 100 * hit.standard_error, 100 * hit.high) if hit else (math.nan,) * 3
        rows.append((agent, attack or "none", len(group), *figures, 100 * task.mean, 100 * task.standard_error))
    columns = ("agent", "attack", "episodes", "ASR %", "±", "ASR at most %", "TSR %", "± ")
    deaf = () if may_obey(episodes).all() else (DEAF_NOTE,)
    return Table(f"attacks_{name}", f"Attacks: {title}", columns, tuple(rows), (NOISE_NOTE, *deaf))


def failures_table(results: Results, name: str, title: str) -> Table:
    """Errors by their first line, and steps on which a retriever fell back."""
    errors = results.episodes[results.episodes["status"] == "error"]
    rows: list[tuple[Cell, ...]] = [
        (agent, "error", message, len(group))
        for (agent, message), group in errors.groupby(["agent", errors["error"].map(_first_line)], sort=False)
    ]
    for column in ("fallback", "skip"):
        steps = results.steps[results.steps[column] != ""]
        rows += [
            (agent, column, reason, len(group))
            for (agent, reason), group in steps.groupby(["agent", column], sort=False)
        ]
    notes = ("Errors count episodes, fallbacks and skips count steps.",)
    columns = ("agent", "what", "reason", "count")
    return Table(f"failures_{name}", f"Failures, fallbacks and skips: {title}", columns, tuple(rows), notes)


def _first_line(error: str) -> str:
    """AgentLab's sentence is the same for every error; the exception and its first line follow it."""
    lines = [line for line in error.split("\n") if line.strip()]
    return " ".join(lines[1:3] if len(lines) > 1 else lines)[:120]


def _columns(names: str) -> tuple[str, ...]:
    return tuple(name.replace("-", " ").replace("%", " %").replace("$", " $") for name in names.split())


MEASURES = (
    agents_table,
    differences_table,
    kinds_table,
    latency_table,
    cost_table,
    attack_table,
    failures_table,
)
