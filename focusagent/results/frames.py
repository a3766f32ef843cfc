"""A folder of results -> one frame with a row an episode and one with a row a step, and what was left out."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from focusagent.results.episode import MAX_TEXT, Row
from focusagent.results.index import indexed_episode
from focusagent.results.paid import with_ledgers
from focusagent.results.records import UnreadableRecord
from focusagent.results.tasks import task_name

TEXT_COLUMNS = frozenset(
    "id study folder agent name backbone retriever retriever_model agent_class task benchmark template kind size status"
    " error started attacks action fallback skip".split()
)
EPISODE_COLUMNS = (
    "id study folder agent name backbone retriever retriever_model obeys task benchmark template kind size seed attacks"
    " status reward success n_steps max_steps truncated error started cost cost_unknown".split()
)
ATTACK_SUCCESS = "task_info.successful_attacks"
STEP_COLUMNS = (
    "id agent task step asked action axtree_tokens_full axtree_tokens_pruned axtree_tokens_shown pruning input_tokens"
    " output_tokens backbone_input_tokens step_elapsed agent_elapsed retriever_seconds fallback skip".split()
)


@dataclass(frozen=True)
class LeftOut:
    """Something that no table counts, and why. `folder` is relative to the folder that was loaded."""

    folder: str
    reason: str


@dataclass(frozen=True)
class Results:
    """`episodes` and `steps` share the column `id`. Columns always exist, also with no rows. Reward, cost and every
    other figure that is not known is NaN, never 0."""

    root: Path
    episodes: pd.DataFrame
    steps: pd.DataFrame
    left_out: tuple[LeftOut, ...] = ()
    notes: tuple[str, ...] = ()

    def where(self, ids: Any) -> Results:
        """The episodes of these ids alone, with their steps; remarks stay with the whole."""
        chosen = set(ids)
        episodes = self.episodes[self.episodes["id"].isin(chosen)]
        return Results(self.root, episodes, self.steps[self.steps["id"].isin(chosen)])


def without_attacks(results: Results) -> Results:
    """The episodes that ran without an attack; all of them where every one was attacked."""
    calm = results.episodes["id"][results.episodes["attacks"] == ""]
    return results.where(calm) if len(calm) else results


def load_results(root: str | Path) -> Results:
    """Every episode below `root`, in any number of studies. Folders that start with "_" or "." are AgentLab's
    earlier attempts and are skipped. Raises NotADirectoryError where `root` is no folder."""
    root = Path(root)
    if not root.is_dir():
        raise NotADirectoryError(f"{root} is no folder of results")
    episodes, steps, left_out = list[Row](), list[Row](), list[LeftOut]()
    for folder in _episode_folders(root):
        name = folder.relative_to(root).as_posix()
        try:
            read = indexed_episode(folder)
        except UnreadableRecord as error:
            left_out.append(LeftOut(name, str(error)))
            continue
        left_out += [LeftOut(name, reason) for reason in read["left_out"]]
        study = "." if folder == root else folder.parent.relative_to(root).as_posix()
        episodes.append(
            {"id": name, "study": root.name if study == "." else study, "folder": str(folder)} | read["episode"]
        )
        steps += [
            {"id": name, "agent": read["episode"]["agent"], "task": read["episode"]["task"]} | step
            for step in read["steps"]
        ]
    episode_frame = _frame(episodes, EPISODE_COLUMNS, left_out)
    step_frame = _derived(_frame(steps, STEP_COLUMNS, left_out))
    costs = with_ledgers(_with_costs(episode_frame, step_frame), root)
    episode_frame = _with_tasks(_with_attacks(costs, step_frame))
    return Results(root, episode_frame, step_frame, tuple(left_out), tuple(_notes(episode_frame)))


def _episode_folders(root: Path) -> Iterator[Path]:
    for folder, children, files in os.walk(root):
        children[:] = sorted(child for child in children if not child.startswith(("_", ".")))
        if "exp_args.pkl" in files:
            yield Path(folder)


def _frame(rows: list[Row], columns: list[str], left_out: list[LeftOut]) -> pd.DataFrame:
    """Text columns as text, all others as numbers; a text among numbers is left out, and said."""
    frame = pd.DataFrame(rows)
    frame = frame.reindex(columns=[*columns, *(column for column in frame.columns if column not in columns)])
    for column in frame.columns:
        if column in TEXT_COLUMNS or column.startswith("version_"):
            frame[column] = frame[column].fillna("").astype(str)
            continue
        numbers = pd.to_numeric(frame[column], errors="coerce").astype(float)
        lost = int((numbers.isna() & frame[column].notna()).sum())
        if lost and column.startswith("task_info."):
            frame[column] = frame[column].astype(object)
            continue
        if lost:
            left_out.append(LeftOut("", f"column {column[:MAX_TEXT]!r}: {lost} values are text, not numbers"))
        frame[column] = numbers
    return frame


def _column(frame: pd.DataFrame, name: str) -> Any:
    """The column, or NaN of its length where a folder of other agents has none."""
    return frame[name] if name in frame.columns else pd.Series(float("nan"), index=frame.index)


def _derived(steps: pd.DataFrame) -> pd.DataFrame:
    """Adds pruning, and the backbone's input: AgentLab's `input_tokens` counts both models.

    Pruning is what the backbone was not shown, so that truncation counts as in the papers."""
    full = steps["axtree_tokens_full"].fillna(_column(steps, "n_token_axtree_txt"))
    shown = _column(steps, "axtree_tokens_shown").fillna(steps["axtree_tokens_pruned"])
    pruning = 1 - shown / full.where(full > 0)
    backbone = steps["input_tokens"] - _column(steps, "retriever_input_tokens").fillna(0)
    return steps.assign(
        axtree_tokens_full=full, axtree_tokens_shown=shown, pruning=pruning, backbone_input_tokens=backbone
    )


def _with_costs(episodes: pd.DataFrame, steps: pd.DataFrame) -> pd.DataFrame:
    """The cost of an episode is unknown when that of any step is. AgentLab prices unknown models at 0, so tokens that
    cost nothing are unknown as well, unless the agent says that they are known to be free."""
    flags = pd.concat([_column(steps, f"{who}_cost_unknown") for who in ("retriever", "backbone")], axis=1)
    cost = _column(steps, "cost")
    silent = flags.isna().all(axis=1) & (cost.fillna(0) == 0) & (steps["asked"] == 1)
    unknown = (flags.max(axis=1) > 0) | silent
    by_id = (
        pd.DataFrame({"id": steps["id"], "cost": cost, "unknown": unknown.astype(float)})
        .groupby("id")
        .agg(cost=("cost", "sum"), cost_unknown=("unknown", "max"))
    )
    joined = episodes.drop(columns=["cost", "cost_unknown"]).join(by_id, on="id")
    joined["cost_unknown"] = joined["cost_unknown"].fillna(1.0)
    joined["cost"] = joined["cost"].where(joined["cost_unknown"] == 0)
    return joined


def _with_attacks(episodes: pd.DataFrame, steps: pd.DataFrame) -> pd.DataFrame:
    """`attacked`: 1 where an attack was successful at some step, 0 where none was, NaN without an attack."""
    counts = pd.to_numeric(_column(steps, ATTACK_SUCCESS), errors="coerce")
    hit = pd.DataFrame({"id": steps["id"], "hit": counts.fillna(0)}).groupby("id")["hit"].max()
    successful = episodes["id"].map(hit).fillna(0) > 0
    return episodes.assign(attacked=successful.astype(float).where(episodes["attacks"] != ""))


def _with_tasks(episodes: pd.DataFrame) -> pd.DataFrame:
    tasks = [task_name(name) for name in episodes["task"]]
    ended = episodes["status"].isin(["done", "error"])
    return episodes.assign(
        benchmark=[task.benchmark for task in tasks],
        template=[task.template for task in tasks],
        kind=[task.kind for task in tasks],
        size=[task.size for task in tasks],
        success=(episodes["reward"].fillna(0) >= 1).astype(float).where(ended),
    )


def _notes(episodes: pd.DataFrame) -> Iterator[str]:
    """What a reader of pooled figures must know."""
    statuses = Counter(episodes["status"])
    if count := statuses["incomplete"]:
        yield f"{count} episodes did not end and are in no success rate."
    if count := statuses["error"]:
        yield f"{count} episodes ended with an error and count as failures."
    names = Counter(_undated(study) for study in set(episodes["study"]))
    for name in (name for name, count in names.items() if count > 1):
        yield f"{names[name]} studies are named {name!r}; their folders tell them apart, their episodes are pooled."
    for column in (column for column in episodes.columns if column.startswith("version_")):
        versions = sorted(set(episodes[column]) - {""})
        if len(versions) > 1:
            yield f"Several versions of {column.removeprefix('version_')} are pooled: {', '.join(versions)}."
    repeats = episodes.groupby(["agent", "task", "seed", "attacks"], dropna=False).size()
    if count := int((repeats > 1).sum()):
        yield f"{count} pairs of agent and task with its seed were run more than once; every run counts."


def _undated(study: str) -> str:
    """The name of a study's folder without the date that AgentLab puts before it."""
    return re.sub(r"^\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d_", "", study.rpartition("/")[2])
