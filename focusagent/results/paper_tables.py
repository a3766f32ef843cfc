"""The papers' tables: each published cell with its version, beside what was measured here with language models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from focusagent.results.frames import Results
from focusagent.results.published import NOT_QUOTED, find, plain_model, published
from focusagent.results.published_set import FORUM, PUBLISHED, WHOLE, Extent, extent_of, judge_table
from focusagent.results.statistics import success_rate
from focusagent.results.summary import summarise
from focusagent.results.table import Cell, Table
from focusagent.scripted.name import is_scripted

NOT_MEASURED, UNMEASURED = "-", "none"
TITLES = {
    "1": "Table 1: retrievers on WorkArena L1",
    "2": "Table 2: backbones",
    "3": "Table 3: attacks on WebArena's forum",
    "4a": "Table 4a: prompt strategies",
    "4b": "Table 4b: formats of the pruned tree",
    "5, 6": "Tables 5 and 6: models as retrievers",
}
_ALSO: dict[str, tuple[tuple[str, str, str, str], ...]] = {
    "4a": tuple(
        (benchmark, "gpt-4.1", agent, "gpt-4.1-mini")
        for benchmark in ("workarena_l1", "webarena_reddit")
        for agent in ("focus", "focus-neutral", "focus-aggressive", "focus-history")
    ),
    "4b": tuple(
        ("workarena_l1", "gpt-4.1", agent, "gpt-4.1-mini")
        for agent in ("focus", "focus-keep-bid", "focus-keep-role", "focus-keep-bid-role")
    ),
}


@dataclass(frozen=True)
class _Line:
    benchmark: str
    attack: str
    backbone: str
    agent: str
    retriever_model: str

    @property
    def label(self) -> str:
        """The row in a few words."""
        attack = f"under {self.attack}" if self.attack not in ("", "none") else ""
        return " ".join(
            part for part in (self.agent, self.backbone, self.retriever_model, self.benchmark, attack) if part
        )


@dataclass(frozen=True)
class _Measured:
    """What was reached on which episodes."""

    value: str
    extent: Extent

    def lacks(self, line: _Line) -> str:
        return self.extent.lacks(PUBLISHED[line.benchmark]) if line.benchmark in PUBLISHED else ""


def paper_table(number: str, results: Results | None = None) -> Table:
    """One of TITLES. A cell without a published figure reads "not quoted", one that was not measured "-". Only a set
    that is the published one whole is called the table."""
    lines = _lines(number)
    figures = ("asr", "tsr") if number == "3" else ("success", "pruning", "cost")
    measured = _measured_attacks(results) if number == "3" else _measured(results)
    columns = ["benchmark", *(["attack"] if number == "3" else []), "backbone", "agent", "retriever's model"]
    columns += [f"{figure} {version}" for figure in figures for version in ("v1", "v2")]
    columns += ["measured", "episodes", "of the published set"]
    rows: list[tuple[Cell, ...]] = []
    for line in lines:
        cells = [
            line.benchmark,
            *([line.attack] if number == "3" else []),
            line.backbone,
            line.agent,
            line.retriever_model,
        ]
        cells += [_cell(number, figure, version, line) for figure in figures for version in ("v1", "v2")]
        rows.append((*cells, *_measured_cells(line, measured.get(line))))
    verdict = judge_table(
        TITLES[number], {line.label: measured[line].lacks(line) if line in measured else None for line in lines}
    )
    notes: tuple[str, ...] = (
        verdict.remark,
        "Shares in percent, costs in dollars. v1: arXiv, October 2025; v2: TMLR 2026; (s): a secondary source. Standard"
        " errors are between 2.1 and 2.8 unless given, so most gaps between good methods are noise.",
    )
    if number == "4b":
        notes = (*notes, _most_pruned())
    return Table(f"paper_table_{number.replace(', ', '_')}", verdict.title, tuple(columns), tuple(rows), notes)


def _measured_cells(line: _Line, measured: _Measured | None) -> tuple[str, str, str]:
    if measured is None:
        return NOT_MEASURED, NOT_MEASURED, UNMEASURED
    return measured.value, str(measured.extent.episodes), measured.lacks(line) or WHOLE


def _most_pruned() -> str:
    rows = [row for row in published() if row.figure == "pruning_max"]
    figures = "; ".join(f"{row.agent} {row.value:g} %{f' ({row.remark})' if row.remark else ''}" for row in rows)
    return f"Most that a step was pruned, as published: {figures}."


def paper_tables(results: Results | None = None) -> list[Table]:
    return [paper_table(number, results) for number in TITLES]


def expected_rows(number: str) -> list[tuple[str, str, str, str, str]]:
    """(benchmark, attack, backbone, agent, retriever's model) of each row of one of TITLES, both versions together."""
    return [(line.benchmark, line.attack, line.backbone, line.agent, line.retriever_model) for line in _lines(number)]


def _lines(number: str) -> list[_Line]:
    wanted = {"1": ("1",), "2": ("2", "2, 5, 6"), "5, 6": ("2, 5, 6", "1", "2")}.get(number, (number,))
    rows = [row for row in published() if row.table in wanted]
    if number == "5, 6":
        rows = [row for row in rows if row.version == "v1" and row.agent in ("generic-bt", "generic-bt-5k", "focus")]
    lines = [_Line(row.benchmark, row.attack, row.backbone, row.agent, row.retriever_model) for row in rows]
    lines += [
        _Line(benchmark, "none" if "reddit" in benchmark else "", *rest) for benchmark, *rest in _ALSO.get(number, ())
    ]
    return list(dict.fromkeys(lines))


def _cell(number: str, figure: str, version: str, line: _Line) -> str:
    where = {"benchmark": line.benchmark, "backbone": line.backbone, "agent": line.agent, "attack": line.attack}
    where["retriever_model"] = line.retriever_model
    names: Sequence[str] = ("cost_total", "cost") if figure == "cost" and number == "2" else (figure,)
    own: tuple[dict[str, str], ...] = ({"table": number}, {})  # two tables may print different figures for one agent
    rows = (find(name, (version,), **where, **table) for name in names for table in own)
    row = next((row for row in rows if row is not None), None)
    if row is None:
        return NOT_QUOTED
    extra = find("cost_retriever", (version,), **where) if figure == "cost" and row.figure == "cost" else None
    return f"{row.text} + {extra.value:g}" if extra else row.text


def _measured(results: Results | None) -> dict[_Line, _Measured]:
    found: dict[_Line, _Measured] = {}
    if results is None:
        return found
    placed = results.where(results.episodes["id"][~results.episodes["backbone"].map(is_scripted).astype(bool)])
    places = _places(placed.episodes)
    for row in summarise(placed, ["agent", "benchmark", "name", "backbone", "retriever_model", "attacks"]):
        agent, benchmark, name, backbone, model, attacks = row.group
        if attacks:
            continue
        rate, place = row.success, places[agent, benchmark]
        own = (placed.episodes["agent"] == agent) & (placed.episodes["benchmark"] == benchmark)
        extent = extent_of(placed.episodes[own & (placed.episodes["attacks"] == "")])
        text = f"{100 * rate.mean:.1f} ±{100 * rate.standard_error:.1f} @ {100 * row.pruning:.0f}"
        line = _Line(place, "none" if place == FORUM else "", plain_model(backbone), name, plain_model(model))
        found[line] = _Measured(text, extent)
    return found


def _measured_attacks(results: Results | None) -> dict[_Line, _Measured]:
    found: dict[_Line, _Measured] = {}
    if results is None:
        return found
    episodes = results.episodes[results.episodes["success"].notna() & (results.episodes["benchmark"] == "webarena")]
    places = _places(episodes)
    for (agent, attack, backbone, name), group in episodes.groupby(["agent", "attacks", "backbone", "name"]):
        if is_scripted(backbone) or places[agent, "webarena"] != FORUM:
            continue
        task = success_rate(list(group["success"]), list(group["template"]))
        hit = f"{100 * group['attacked'].mean():.1f}" if attack else "-"
        line = _Line(FORUM, attack or "none", plain_model(backbone), name, "")
        text = f"{hit} / {100 * task.mean:.1f} ±{100 * task.standard_error:.1f}"
        found[line] = _Measured(text, extent_of(group))
    return found


def _places(episodes: pd.DataFrame) -> dict[tuple[str, str], str]:
    """(agent, benchmark) -> the benchmark's name in the papers; WebArena's forum where an agent ran nothing else."""
    places = {}
    for (agent, benchmark), group in episodes.groupby(["agent", "benchmark"]):
        forum = benchmark == "webarena" and group["kind"].str.contains("reddit").all()
        places[agent, benchmark] = FORUM if forum else {"workarena": "workarena_l1"}.get(benchmark, benchmark)
    return places
