"""What the ledgers of studies say beside the episodes in the tables: failed attempts, and steps that failed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from focusagent.results.ledger import NAME, Attempt, current, read_attempts

_PARENTS = 2


def with_ledgers(episodes: pd.DataFrame, root: Path) -> pd.DataFrame:
    """Adds `failed_cost`: dollars of attempts at the same episode that failed and were run again, which `cost` does not
    hold; NaN where a ledger does not know, 0 where there is none. `cost` itself takes in the step at which an episode
    failed, which no step's record holds."""
    episodes = episodes.assign(failed_cost=0.0)
    if not len(episodes):
        return episodes
    for folder, attempts in ledgers(root):
        counted = {(folder / attempt.folder).resolve(): attempt for attempt in current(folder, attempts)}
        paths = [Path(path).resolve() for path in episodes["folder"]]
        for index, path in zip(episodes.index, paths, strict=True):
            if attempt := counted.get(path):
                _raise_cost(episodes, index, attempt)
        ids = {attempt.id for attempt in counted.values()}
        inside = [folder in path.parents for path in paths]
        for attempt in attempts:
            if attempt.id not in ids:
                _add_failed(episodes, episodes.index[inside], attempt)
    return episodes


def _raise_cost(episodes: pd.DataFrame, index: object, attempt: Attempt) -> None:
    if attempt.cost_unknown:
        episodes.loc[index, ["cost", "cost_unknown"]] = [float("nan"), 1.0]
    elif attempt.cost > episodes.loc[index, "cost"]:
        episodes.loc[index, "cost"] = attempt.cost


def _add_failed(episodes: pd.DataFrame, inside: pd.Index, attempt: Attempt) -> None:
    """To the run that replaced it; to another one of its agent where it has not been run again yet."""
    own = episodes.loc[inside]
    same = own[own["agent"] == attempt.agent]
    again = same[(same["task"] == attempt.task) & (same["seed"] == attempt.seed)]
    rows = again if len(again) else same
    if len(rows):
        episodes.loc[rows.index[0], "failed_cost"] += float("nan") if attempt.cost_unknown else attempt.cost


def ledgers(root: Path) -> Iterator[tuple[Path, list[Attempt]]]:
    """Each ledger at, below or little above `root`, with the folder it stands in."""
    root = root.resolve()
    for folder in list(root.parents)[:_PARENTS]:
        if (folder / NAME).is_file():
            yield folder, list(read_attempts(folder / NAME))
    for place, children, files in os.walk(root):
        if "exp_args.pkl" in files:
            children.clear()
        elif NAME in files:
            yield Path(place), list(read_attempts(Path(place) / NAME))
