"""The papers' figures, drawn from any results: here those of whole agents, in `step_figures` those of single steps."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import pandas as pd

from focusagent.results.drawing import COLOURS, MARKERS, Figure, figure, legend, or_none, style
from focusagent.results.frames import Results
from focusagent.results.statistics import success_rate
from focusagent.results.step_figures import clusters, distributions, pages, pages_zoomed, short_name
from focusagent.results.summary import summarise
from focusagent.results.tables import may_obey, parts_of
from focusagent.scripted.name import is_scripted

BREAK_EVEN = 20.0


def make_figures(results: Results) -> Iterator[Figure]:
    """Every figure that these results can fill, part by part."""
    for part in parts_of(results):
        for draw in DRAWN:
            drawn = draw(part.results, part.name, part.title)
            if drawn is not None:
                yield drawn


def success_against_pruning(results: Results, name: str, title: str) -> Figure | None:
    """Figure 3: success with standard errors against mean pruning, and the paper's 20 % break-even line."""
    calm = results.where(results.episodes["id"][results.episodes["attacks"] == ""])
    rows = [row for row in summarise(calm) if not math.isnan(row.pruning) and row.success.n]
    data = pd.DataFrame(
        [(row.agent, 100 * row.pruning, 100 * row.success.mean, 100 * row.success.standard_error) for row in rows],
        columns=["agent", "pruning", "success", "error"],
    )
    if data.empty:
        return None

    def draw(axes: Any) -> None:
        axes.axvline(BREAK_EVEN, color="#888888", linestyle="--", linewidth=1)
        axes.annotate(
            "pays from 20 %",
            (BREAK_EVEN, 0.02),
            xycoords=("data", "axes fraction"),
            fontsize=8,
            color="#555555",
            xytext=(4, 0),
            textcoords="offset points",
        )
        for index, row in enumerate(data.itertuples()):
            axes.errorbar(
                row.pruning,
                row.success,
                yerr=or_none(row.error),
                capsize=3,
                label=short_name(row.agent),
                **style(index),
            )
        axes.set(xlabel="mean pruning of the page (%)", ylabel="success (%)", xlim=(-3, 103), ylim=(-5, 105))
        legend(axes)

    return figure(f"figure_3_{name}", f"Success against pruning: {title}", data, draw, width=8.2)


def success_against_cost(results: Results, name: str, title: str) -> Figure | None:
    """The second version's figure: success with standard errors against dollars over all episodes. An agent whose
    dollars are unknown has no point; nor has any with a scripted backbone, whose dollars mean nothing."""
    calm = results.where(results.episodes["id"][results.episodes["attacks"] == ""])
    backbones = dict(zip(results.episodes["agent"], results.episodes["backbone"], strict=True))
    rows = [row for row in summarise(calm) if row.success.n and not math.isnan(row.cost)]
    data = pd.DataFrame(
        [
            (row.agent, row.cost, 100 * row.success.mean, 100 * row.success.standard_error)
            for row in rows
            if not is_scripted(backbones[row.agent])
        ],
        columns=["agent", "dollars", "success", "error"],
    )
    if data.empty:
        return None

    def draw(axes: Any) -> None:
        for index, row in enumerate(data.itertuples()):
            error = or_none(row.error)
            axes.errorbar(row.dollars, row.success, yerr=error, capsize=3, label=short_name(row.agent), **style(index))
        axes.set(xlabel="dollars over all episodes", ylabel="success (%)", ylim=(-5, 105))
        axes.set_xlim(left=0)
        legend(axes)

    return figure(f"figure_cost_{name}", f"Success against cost: {title}", data, draw, width=8.2)


def attacks(results: Results, name: str, title: str) -> Figure | None:
    """Figure 5: attack success against task success; green under 5 %, red from 50 %."""
    episodes = results.episodes[(results.episodes["attacks"] != "") & results.episodes["success"].notna()]
    episodes = episodes[may_obey(episodes)]
    rows = []
    for (agent, attack), group in episodes.groupby(["agent", "attacks"], sort=False):
        rates = (success_rate(list(group[column]), list(group["template"])) for column in ("attacked", "success"))
        rows.append((agent, attack, *(100 * rate.mean for rate in rates)))
    data = pd.DataFrame(rows, columns=["agent", "attack", "asr", "tsr"])
    if data.empty:
        return None

    def draw(axes: Any) -> None:
        axes.axvspan(-5, 5, color="#4f9d69", alpha=0.15)
        axes.axvspan(50, 105, color="#b23b4a", alpha=0.12)
        shapes = {attack: MARKERS[index % len(MARKERS)] for index, attack in enumerate(dict.fromkeys(data["attack"]))}
        for index, (agent, group) in enumerate(data.groupby("agent", sort=False)):
            for row in group.itertuples():
                axes.plot(
                    row.asr,
                    row.tsr,
                    shapes[row.attack],
                    color=COLOURS[index % len(COLOURS)],
                    markersize=7,
                    label=f"{short_name(agent)}, {row.attack}",
                )
        axes.set(xlabel="attack success (%)", ylabel="task success (%)", xlim=(-5, 105), ylim=(-5, 105))
        legend(axes)

    return figure(f"figure_5_{name}", f"Attack and task success: {title}", data, draw, width=8.6)


DRAWN = (success_against_pruning, success_against_cost, pages, pages_zoomed, distributions, clusters, attacks)
