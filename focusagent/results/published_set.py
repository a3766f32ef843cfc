"""How far a measured set is the published one: tasks, seeds and step limits of a row, rows (agents, models) of a table.

A table is called the paper's only where every row of it was measured on the published episodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

FORUM = "webarena_reddit"
WHOLE = "all"
MAX_NAMED = 6


@dataclass(frozen=True)
class Extent:
    """What one row was run on."""

    episodes: int  # distinct pairs of task and seed that ran to their end
    tasks: int
    seeds: int  # the most that any task was run with
    steps: tuple[int, ...]  # step limits, each once

    def lacks(self, published: Extent) -> str:
        """What it lacks to be the published row, in words; "" for nothing."""
        said = []
        if self.episodes < published.episodes:
            said.append(f"{self.episodes} of {published.episodes} episodes")
            if self.tasks < published.tasks:
                said.append(f"{self.tasks} of {published.tasks} tasks")
            if self.seeds < published.seeds:
                said.append(f"{self.seeds} of {published.seeds} seeds")
        if self.steps != published.steps:
            limits = " or ".join(map(str, self.steps)) or "unknown"
            said.append(f"step limit {limits}, not {published.steps[0]}")
        return ", ".join(said)


PUBLISHED = {
    "workarena_l1": Extent(330, 33, 10, (15,)),
    "webarena": Extent(381, 381, 1, (30,)),
    FORUM: Extent(114, 114, 1, (30,)),
}


def extent_of(episodes: pd.DataFrame) -> Extent:
    """The extent of the episodes that ended. A step limit that is not recorded is left out."""
    ended = episodes[episodes["success"].notna()]
    pairs = ended[["task", "seed"]].drop_duplicates()
    seeds = pairs.groupby("task").size()
    limits = sorted({int(limit) for limit in ended["max_steps"].dropna()})
    return Extent(len(pairs), len(seeds), int(seeds.max()) if len(seeds) else 0, tuple(limits))


@dataclass(frozen=True)
class Verdict:
    """Whether a set is a table of the papers: the title it may carry, and the remark that says why."""

    title: str
    remark: str


def judge_table(title: str, rows: Mapping[str, str | None]) -> Verdict:
    """`title` reads "Table N: ..."; `rows` says of each published row what it lacks, "" for nothing and None where it
    was not measured at all."""
    name, _, about = title.partition(": ")
    whole = [row for row, lack in rows.items() if lack == ""]
    if len(whole) == len(rows):
        return Verdict(title, f"This is {name}: all {len(rows)} rows were measured on the published episodes.")
    if all(lack is None for lack in rows.values()):
        return Verdict(f"{name} as published: {about}", f"No row of {name} was measured here.")
    partial = [f"{row} ({lack})" for row, lack in rows.items() if lack]
    missing = [row for row, lack in rows.items() if lack is None]
    said = [f"This is not {name}: {len(whole)} of its {len(rows)} rows were measured whole."]
    said += [f"In part: {_named(partial)}."] if partial else []
    said += [f"Not measured: {_named(missing)}."] if missing else []
    return Verdict(f"Rows of {name}, measured in part: {about}", " ".join(said))


def _named(rows: Sequence[str]) -> str:
    more = f"; and {len(rows) - MAX_NAMED} more" if len(rows) > MAX_NAMED else ""
    return "; ".join(rows[:MAX_NAMED]) + more
