"""The papers' figures, drawn from any results: success against pruning, pages, attacks, distributions, clusters."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import pandas as pd

from focusagent.results.clusters import NOISE, Clusters, cluster_steps
from focusagent.results.drawing import COLOURS, MARKERS, Figure, figure, legend, or_none, style
from focusagent.results.frames import Results, without_attacks
from focusagent.results.statistics import success_rate
from focusagent.results.summary import summarise
from focusagent.results.tables import BASELINE, may_obey, parts_of
from focusagent.scripted.name import is_scripted

BREAK_EVEN = 20.0


def make_figures(results: Results) -> Iterator[Figure]:
    """Every figure that these results can fill, part by part."""
    for part in parts_of(results):
        for draw in (success_against_pruning, pages, distributions, clusters, attacks):
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
                row.pruning, row.success, yerr=or_none(row.error), capsize=3, label=_short(row.agent), **style(index)
            )
        axes.set(xlabel="mean pruning of the page (%)", ylabel="success (%)", xlim=(-3, 103), ylim=(-5, 105))
        legend(axes)

    return figure(f"figure_3_{name}", f"Success against pruning: {title}", data, draw, width=8.2)


def pages(results: Results, name: str, title: str) -> Figure | None:
    """Figures 4, 7 and 9: original against shown tokens of every step, agent by agent."""
    data = _steps(results)
    if data.empty:
        return None

    def draw(axes: Any) -> None:
        top = data["original"].max() * 1.05
        axes.plot([0, top], [0, top], color="#888888", linewidth=1, linestyle="--")
        for index, (agent, group) in enumerate(data.groupby("agent", sort=False)):
            dots = style(index) | {"markersize": 3.5, "linestyle": "none", "alpha": 0.6}
            axes.plot(group["original"], group["shown"], label=_short(agent), **dots)
        axes.set(
            xlabel="original tokens of a step", ylabel="tokens shown to the backbone", xlim=(0, top), ylim=(0, top)
        )
        legend(axes)

    return figure(f"figure_4_{name}", f"Original and shown tokens of a step: {title}", data, draw, width=8.2)


def distributions(results: Results, name: str, title: str) -> Figure | None:
    """Figures 7, 8 and 10: how the pruning of steps is distributed."""
    data = _steps(results)
    data = data[data["name"] != BASELINE]
    if data.empty:
        return None

    def draw(axes: Any) -> None:
        agents = list(dict.fromkeys(data["agent"]))
        values = [data["pruning"][data["agent"] == agent] for agent in agents]
        boxes = axes.boxplot(
            values,
            orientation="horizontal",
            widths=0.6,
            patch_artist=True,
            medianprops={"color": "#222222"},
            flierprops={"markersize": 2},
        )
        for index, box in enumerate(boxes["boxes"]):
            box.set(facecolor=COLOURS[index % len(COLOURS)], alpha=0.6)
        axes.set_yticks(
            range(1, len(agents) + 1), [f"{_short(agent)} ({len(v)})" for agent, v in zip(agents, values, strict=True)]
        )
        axes.set(xlabel="pruning of a step (%)", xlim=(min(0.0, float(data["pruning"].min())) - 2, 102))
        axes.invert_yaxis()

    height = 1.4 + 0.42 * data["agent"].nunique()
    return figure(f"figure_8_{name}", f"Pruning of steps (number of steps): {title}", data, draw, height=height)


def clusters(results: Results, name: str, title: str) -> Figure | None:
    """Figure 11, with Table 7 beside it: the steps of the agents that prune."""
    steps = _asked(results)
    names = dict(zip(results.episodes["agent"], results.episodes["name"], strict=True))
    found: Clusters = cluster_steps(steps[~steps["agent"].map(names).str.startswith("generic")], name, title)
    if found.steps.empty:
        return None
    data = found.steps[["agent", "task", "step", "axtree_tokens_full", "axtree_tokens_shown", "cluster"]]

    def draw(axes: Any) -> None:
        for label, group in data.groupby("cluster"):
            colour = "#bbbbbb" if label == NOISE else COLOURS[int(label) % len(COLOURS)]
            axes.plot(
                group["axtree_tokens_full"],
                group["axtree_tokens_shown"],
                "o",
                markersize=3.5,
                alpha=0.7,
                color=colour,
                label="noise" if label == NOISE else f"cluster {label}",
            )
        axes.set(xlabel="original tokens of a step", ylabel="tokens shown to the backbone")
        legend(axes)

    heading = f"Clusters of steps under 10k tokens: {title}"
    return figure(f"figure_11_{name}", heading, data, draw, width=7.6, table=found.table)


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
                    label=f"{_short(agent)}, {row.attack}",
                )
        axes.set(xlabel="attack success (%)", ylabel="task success (%)", xlim=(-5, 105), ylim=(-5, 105))
        legend(axes)

    return figure(f"figure_5_{name}", f"Attack and task success: {title}", data, draw, width=8.6)


def _asked(results: Results) -> pd.DataFrame:
    steps = without_attacks(results).steps
    return steps[(steps["asked"] == 1) & steps["axtree_tokens_shown"].notna()]


def _steps(results: Results) -> pd.DataFrame:
    steps = _asked(results)
    names = dict(zip(results.episodes["agent"], results.episodes["name"], strict=True))
    return pd.DataFrame(
        {
            "agent": steps["agent"],
            "name": steps["agent"].map(names),
            "task": steps["task"],
            "step": steps["step"],
            "original": steps["axtree_tokens_full"],
            "shown": steps["axtree_tokens_shown"],
            "pruning": 100 * steps["pruning"],
        }
    )


def _short(agent: str) -> str:
    """The agent's name without a scripted backbone, which the title names."""
    return " · ".join(part for part in agent.split("__") if not is_scripted(part))
