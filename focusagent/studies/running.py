"""AgentLab's studies, run an episode at a time: AgentLab makes, names and saves them, AgentXray opens them."""

from __future__ import annotations

import logging
import os
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from focusagent.results.index import indexed_episode
from focusagent.results.ledger import attempt_folders
from focusagent.results.records import UnreadableRecord
from focusagent.studies.folders import new_folder, prepare_episode, short_name
from focusagent.studies.pools import Backend, has_begun, make_pool
from focusagent.studies.schedule import Schedule

Key = tuple[str, str, int]
_DATE = len("2026-01-01_00-00-00_")


def build_study(agents: Sequence[Any], benchmark: Any, folder: Path, name: str = "", begun: Path | None = None) -> Any:
    """AgentLab's study of these agents, saved below `folder`: `Study`, or `SequentialStudies` where a benchmark has to
    be reset between agents. Nothing runs yet. `begun` is the folder of a study that goes on: it is made anew from its
    configuration, since loading what lies there would run whatever somebody has put into it."""
    from agentlab.experiments.study import make_study

    with quiet():
        study = make_study(list(agents), benchmark, logging_level_stdout=logging.CRITICAL, suffix=name)
        study.dir = begun or new_folder(folder, f"{datetime.now():%Y-%m-%d_%H-%M-%S}_{study.name}")
        several = parts(study) != [study]
        for part in parts(study) if several else ():
            part.dir = _part_folder(study.dir, part)
        for part in parts(study):
            part.save()
        if several:
            study.save()
    return study


def _part_folder(folder: Path, part: Any) -> Path:
    """The folder of one agent's part, found again by what follows its date."""
    name = short_name(str(part.name))
    begun = next((path for path in sorted(folder.glob("*")) if path.name[_DATE:] == name and path.is_dir()), None)
    return begun or new_folder(folder, f"{datetime.now():%Y-%m-%d_%H-%M-%S}_{name}")


def parts(study: Any) -> list[Any]:
    """The `Study` objects of a study, in the order in which they run."""
    return list(getattr(study, "studies", [study]))


def run_study(
    study: Any,
    *,
    jobs: int,
    backend: Backend,
    ray_address: str = "",
    stop: Callable[[], str] = lambda: "",
    on_end: Callable[[Any], None] = lambda _: None,
) -> str:
    """Run what is not finished yet. Returns why it stopped early, "" when it did not.

    Raises KeyboardInterrupt on Ctrl-C after the workers are gone; the folder is then complete but for the episodes that
    were cut off or never begun."""
    for part in parts(study):
        todo = unfinished(part, Path(study.dir))
        if not todo:
            continue
        with quiet():
            part.benchmark.prepare_backends()
        agents = list({id(episode.agent_args): episode.agent_args for episode in todo}.values())
        for agent in agents:
            agent.prepare()
        try:
            with quiet():
                reason = Schedule(
                    todo,
                    make_pool=partial(make_pool, backend, jobs, ray_address),
                    jobs=1 if backend == "sequential" else jobs,
                    prepare=lambda episode, root=part.dir: prepare_episode(episode, Path(root)),  # type: ignore[misc]
                    stop=stop,
                    on_end=on_end,
                    step_seconds=part.avg_step_timeout,
                    has_begun=has_begun,
                ).run()
        finally:
            for agent in agents:
                agent.close()
        if reason:
            return reason
    return ""


def unfinished(part: Any, root: Path | None = None) -> list[Any]:
    """The episodes of a `Study` that have no finished run below `root`, the folder of the whole study. What a failed or
    cut-off one left there is renamed with a leading "_", as AgentLab does, so that neither AgentXray nor the tables
    count it. Running fills an episode with its folder and open files, so copies are handed out."""
    agents = {str(episode.agent_args.agent_name) for episode in part.exp_args_list}
    finished: Counter[Key] = Counter()
    for folder in _attempts(root or Path(part.dir)):
        attempt = _key_and_status(folder)
        if attempt is None:
            if folder.parent == Path(part.dir):
                folder.rename(_hidden(folder))
            continue
        key, done = attempt
        # Other agents' episodes are another part's: it may have run them only just now.
        if key[0] not in agents:
            continue
        if done:
            finished[key] += 1
        else:
            folder.rename(_hidden(folder))
    todo = []
    for episode in part.exp_args_list:
        key = (episode.agent_args.agent_name, episode.env_args.task_name, episode.env_args.task_seed or 0)
        if finished[key]:
            finished[key] -= 1
        else:
            episode.make_id()
            todo.append(copy(episode))
    return todo


def _attempts(root: Path) -> list[Path]:
    """Those that were not moved aside, in the order of their names."""
    return [folder for folder in attempt_folders(root) if not folder.name.startswith(("_", "."))]


def _key_and_status(folder: Path) -> tuple[Key, bool] | None:
    """Which episode an attempt was at, and whether it is done; None where its arguments cannot be read."""
    try:
        episode = indexed_episode(folder)["episode"]
    except UnreadableRecord:
        return None
    if not episode["agent"] or not episode["task"]:
        return None
    return (episode["agent"], episode["task"], int(episode["seed"] or 0)), episode["status"] == "done"


def _hidden(folder: Path) -> Path:
    """A name that AgentLab skips and that is free."""
    names = (folder.with_name("_" * count + folder.name) for count in range(1, 100))
    return next(name for name in names if not name.exists())


@contextmanager
def quiet() -> Iterator[None]:
    """Keep AgentLab's and its libraries' reports off the terminal: they also lie in each episode's folder."""
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    os.environ.setdefault("TRANSFORMERS_NO_ADVISORY_WARNINGS", "1")
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    root.handlers[:] = [logging.NullHandler()]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
