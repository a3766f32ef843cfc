"""AgentLab's studies, run an episode at a time: AgentLab makes, names and saves them, AgentXray opens them."""

from __future__ import annotations

import logging
import os
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from functools import partial
from pathlib import Path
from typing import Any

from focusagent.results.index import indexed_episode
from focusagent.results.records import UnreadableRecord
from focusagent.studies.pools import Backend, make_pool
from focusagent.studies.schedule import Schedule

Key = tuple[str, str, int]


def build_study(agents: Sequence[Any], benchmark: Any, folder: Path, name: str = "") -> Any:
    """AgentLab's study of these agents, saved below `folder`: `Study`, or `SequentialStudies` where a benchmark has to
    be reset between agents. Nothing runs yet."""
    from agentlab.experiments.study import make_study

    with quiet():
        study = make_study(list(agents), benchmark, logging_level_stdout=logging.CRITICAL, suffix=name)
        study.make_dir(exp_root=folder)
        for part in parts(study):
            if part is not study:
                part.make_dir(exp_root=study.dir)
            part.save()
        if parts(study) != [study]:
            study.save()
    return study


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
        todo = unfinished(part)
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
                    prepare=lambda episode, root=part.dir: episode.prepare(exp_root=root),  # type: ignore[misc]
                    stop=stop,
                    on_end=on_end,
                    step_seconds=part.avg_step_timeout,
                ).run()
        finally:
            for agent in agents:
                agent.close()
        if reason:
            return reason
    return ""


def unfinished(part: Any) -> list[Any]:
    """The episodes of a `Study` that have no finished run in its folder. What a failed or cut-off one left there is
    renamed with a leading "_", as AgentLab does, so that neither AgentXray nor the tables count it.
    Running fills an episode with its folder and open files, so copies are handed out."""
    finished: Counter[Key] = Counter()
    for folder in sorted(path.parent for path in Path(part.dir).glob("*/exp_args.pkl")):
        if folder.name.startswith(("_", ".")):
            continue
        key = _finished_key(folder)
        if key is None:
            folder.rename(_hidden(folder))
        else:
            finished[key] += 1
    todo = []
    for episode in part.exp_args_list:
        key = (episode.agent_args.agent_name, episode.env_args.task_name, episode.env_args.task_seed or 0)
        if finished[key]:
            finished[key] -= 1
        else:
            episode.make_id()
            todo.append(copy(episode))
    return todo


def _finished_key(folder: Path) -> Key | None:
    try:
        episode = indexed_episode(folder)["episode"]
    except UnreadableRecord:
        return None
    done = episode["status"] == "done"
    return (episode["agent"], episode["task"], int(episode["seed"] or 0)) if done else None


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
