"""The papers' figures of single steps: pages before and after pruning, distributions of pruning, clusters of pages."""

from __future__ import annotations

from typing import Any

import pandas as pd

from focusagent.results.clusters import MAX_TOKENS as ZOOM
from focusagent.results.clusters import NOISE, Clusters, cluster_steps
from focusagent.results.drawing import COLOURS, Figure, figure, legend, style
from focusagent.results.frames import Results, without_attacks
from focusagent.results.published import plain_model
from focusagent.results.published_set import PUBLISHED, extent_of
from focusagent.results.tables import BASELINE
from focusagent.scripted.name import is_scripted


def pages(results: Results, name: str, title: str) -> Figure | None:
    """Figures 4, 7 and 9: original against shown tokens of every step, agent by agent."""
    return _scatter(_steps(results), f"figure_4_{name}", f"Original and shown tokens of a step: {title}")


def pages_zoomed(results: Results, name: str, title: str) -> Figure | None:
    """Figure 9b: the same, zoomed in on pages under ZOOM tokens; the papers' own range is not quoted."""
    data = _steps(results)
    near = data[data["original"] < ZOOM]
    return _scatter(near, f"figure_9b_{name}", f"Original and shown tokens of a step, under 10k: {title}", float(ZOOM))


def _scatter(data: pd.DataFrame, name: str, heading: str, most: float = 0.0) -> Figure | None:
    """`most` is where both axes end, the largest page where 0."""
    if data.empty:
        return None

    def draw(axes: Any) -> None:
        top = most or data["original"].max() * 1.05
        axes.plot([0, top], [0, top], color="#888888", linewidth=1, linestyle="--")
        for index, (agent, group) in enumerate(data.groupby("agent", sort=False)):
            dots = style(index) | {"markersize": 3.5, "linestyle": "none", "alpha": 0.6}
            axes.plot(group["original"], group["shown"], label=short_name(agent), **dots)
        axes.set(
            xlabel="original tokens of a step", ylabel="tokens shown to the backbone", xlim=(0, top), ylim=(0, top)
        )
        legend(axes)

    return figure(name, heading, data, draw, width=8.2)


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
            range(1, len(agents) + 1),
            [f"{short_name(agent)} ({len(v)})" for agent, v in zip(agents, values, strict=True)],
        )
        axes.set(xlabel="pruning of a step (%)", xlim=(min(0.0, float(data["pruning"].min())) - 2, 102))
        axes.invert_yaxis()

    height = 1.4 + 0.42 * data["agent"].nunique()
    return figure(f"figure_8_{name}", f"Pruning of steps (number of steps): {title}", data, draw, height=height)


def clusters(results: Results, name: str, title: str) -> Figure | None:
    """Figure 11, with Table 7 beside it: FocusAgent's steps with gpt-4.1-mini as its retriever, as in the paper. Where
    it did not run, the steps of every agent that prunes, which the title says."""
    steps = _asked(results)
    theirs = focus_episodes(results)
    extent = extent_of(theirs)
    names = dict(zip(results.episodes["agent"], results.episodes["name"], strict=True))
    if len(theirs):
        steps = steps[steps["id"].isin(set(theirs["id"]))]
    else:
        steps = steps[~steps["agent"].map(names).str.startswith("generic")]
    lack = extent.lacks(PUBLISHED["webarena"]) if len(theirs) and name.startswith("webarena") else None
    found: Clusters = cluster_steps(steps, name, title, lack)
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

    heading = f"Clusters of steps under 10k tokens{'' if len(theirs) else ', all agents that prune'}: {title}"
    return figure(f"figure_11_{name}", heading, data, draw, width=7.6, table=found.table)


def focus_episodes(results: Results) -> pd.DataFrame:
    """The episodes, without an attack, of the agent whose steps the paper clusters."""
    episodes = results.episodes
    mini = episodes["retriever_model"].map(plain_model) == "gpt-4.1-mini"
    return episodes[(episodes["name"] == "focus") & mini & (episodes["attacks"] == "")]


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


def short_name(agent: str) -> str:
    """The agent's name without a scripted backbone, which the title names."""
    return " · ".join(part for part in agent.split("__") if not is_scripted(part))
