"""Going on with a study: is it the same one, is nobody else at it, and with which seeds."""

from __future__ import annotations

import fcntl
import json
import os
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from focusagent.errors import UserError
from focusagent.studies.config import StudyConfig, explained

COPY = "study.yaml"
SEEDS = "seeds.json"
_LOCK = ".lock"
# Changed, these make it another study; its name, its number of jobs and where it runs do not.
_SAME = ("benchmark", "split", "max_steps", "ignore_dependencies", "context", "completion", "attack_judge")
_Unit = tuple[str, str, str]


def essence(config: StudyConfig) -> str:
    """What makes a study the same study: not how many jobs it had, nor where it ran."""
    return yaml.safe_dump(config.model_dump(mode="json", exclude={"jobs", "backend", "about"}), sort_keys=False)


def check_same(config: StudyConfig, folder: Path) -> None:
    """More agents, tasks, repeats, models or attacks are more work for the same study. Raises UserError, the difference
    told in one line, where something else has changed, and where the folder holds no study."""
    changed = differences(_known(folder), config)
    if changed:
        told = "; ".join(changed[:4]) + (f"; and {len(changed) - 4} more" if len(changed) > 4 else "")
        raise UserError(f"{folder} holds another study: {told} (its configuration is {folder / COPY})", exit_code=2)


def _known(folder: Path) -> StudyConfig:
    """The configuration that a folder was begun with, settings that are newer than it at their defaults."""
    try:
        data = yaml.safe_load((folder / COPY).read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"{folder} holds no study of `focusagent study`", exit_code=2) from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise UserError(f"{folder / COPY} is no YAML: {error}", exit_code=2) from error
    try:
        return StudyConfig.model_validate(data)
    except ValidationError as error:
        raise UserError(f"{folder} holds another study: {explained(error.errors())}", exit_code=2) from error


def differences(known: StudyConfig, now: StudyConfig) -> list[str]:
    """What `now` no longer means as `known` did, a line each."""
    found = [
        f"{name} was {getattr(known, name)!r}, is {getattr(now, name)!r}"
        for name in _SAME
        if getattr(known, name) != getattr(now, name)
    ]
    # 0 is the benchmark's own number, which may be more or less than any other.
    if known.repeats != now.repeats and (not known.repeats or not now.repeats or now.repeats < known.repeats):
        found.append(f"repeats was {known.repeats}, is {now.repeats}")
    if now.tasks and (not known.tasks or set(known.tasks) - set(now.tasks)):
        found.append(f"tasks were {list(known.tasks) or 'all'}, are {list(now.tasks)}")
    if gone := [attack for attack in known.attacks if attack not in now.attacks]:
        found.append(f"attacks {gone} are gone")
    agents = _units(now)
    for settings, backbone, model in sorted(_units(known) - agents):
        helper = f" and {model}" if model else ""
        found.append(f"agent {settings} with {backbone}{helper} is gone or changed")
    return found


def _units(config: StudyConfig) -> set[_Unit]:
    """Each agent with its settings, its backbone and its retriever's model."""
    found: set[_Unit] = set()
    for entry in config.agents:
        settings = entry.overrides | ({"guard_model": entry.guard_model} if entry.guard_model else {})
        told = entry.agent + (f" {json.dumps(settings, sort_keys=True, default=str)}" if settings else "")
        for backbone in entry.backbones or config.backbones:
            for model in entry.retriever_models or config.retriever_models or ("",):
                found.add((told, backbone, model))
    return found


@contextmanager
def sole_writer(folder: Path) -> Iterator[None]:
    """Nobody else runs the study in this folder meanwhile. Raises UserError where somebody does; the lock is gone with
    the process that holds it."""
    try:
        handle = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise UserError(f"nothing can be written to {folder}: {error.strerror or error}") from error
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise UserError(f"{folder} is being run by another process; wait for it, or end it") from error
        yield
    finally:
        os.close(handle)


def known_seeds(folder: Path) -> dict[str, list[int]]:
    """The seeds of each task that a study was begun with, {} where the folder does not tell."""
    try:
        data = json.loads((folder / SEEDS).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(data, dict):
        return {}
    return {
        str(task): [seed for seed in seeds if type(seed) is int] for task, seeds in data.items() if type(seeds) is list
    }


def save_seeds(folder: Path, benchmark: Any) -> None:
    seeds: dict[str, list[int]] = defaultdict(list)
    for env_args in benchmark.env_args_list:
        seeds[env_args.task_name].append(int(env_args.task_seed or 0))
    (folder / SEEDS).write_text(json.dumps(seeds, indent=0), encoding="utf-8")


def keep_seeds(benchmark: Any, known: Mapping[str, list[int]]) -> None:
    """Give each task the seeds that it had before, then new ones: with one repeat more, a benchmark draws others for
    every task, and what was run already would count for nothing."""
    drawn: dict[str, list[Any]] = defaultdict(list)
    for env_args in benchmark.env_args_list:
        drawn[env_args.task_name].append(env_args)
    for task, episodes in drawn.items():
        before = list(known.get(task, ()))[: len(episodes)]
        new = [one.task_seed for one in episodes if one.task_seed not in before]
        for env_args, seed in zip(episodes, [*before, *new], strict=False):
            env_args.task_seed = seed
