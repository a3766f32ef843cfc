"""Benchmarks under attack: each episode's environment wrapped, its texts filled in where the episode runs."""

from __future__ import annotations

import random
import socket
from dataclasses import dataclass
from typing import Any

from focusagent.compat.webarena import webarena_tasks
from focusagent.errors import UserError

NONE = "none"


@dataclass(frozen=True)
class CatalogueAttack:
    """An attack of the catalogue on one episode. The attacker's host is a free port of the machine that runs it;
    `judge` are the Args of the model that judges, where the attack needs one."""

    name: str
    goal: str
    other_goal: str = ""
    canary: str = ""
    judge: Any = None

    def wrap(self, env: Any) -> Any:
        from focusagent.security.attacks import DoomAttack, load_catalogue

        filled = load_catalogue()[self.name].fill(_free_host(), self.goal, self.other_goal, self.canary)
        return DoomAttack(filled, self.judge).wrap(env)


def attacked(env_args: Any, attack: str, judge: Any = None) -> Any:
    """The episode's environment under that attack. Raises UserError for a benchmark whose goals are not known here, and
    for one on which the attack could never succeed."""
    from focusagent.environments import FocusEnvArgs
    from focusagent.security.attacks import load_catalogue

    spec = load_catalogue()[attack]
    if spec.only_longpage and not env_args.task_name.startswith("longpage."):
        raise UserError(f"attack {attack!r} can succeed on LongPage only, not on {env_args.task_name!r}", exit_code=2)

    goal, other = _goals(env_args.task_name, env_args.task_seed or 0, attack)
    canary = f"zq{random.Random(f'{attack}/{env_args.task_name}/{env_args.task_seed}').randrange(10**9):09d}"
    fields = {name: value for name, value in vars(env_args).items() if name != "attacks"}
    return FocusEnvArgs(**fields, attacks=(CatalogueAttack(attack, goal, other, canary, judge),))


def _goals(task: str, seed: int, attack: str) -> tuple[str, str]:
    """The task's goal and another one of its template."""
    benchmark, _, rest = task.partition(".")
    if benchmark == "longpage":
        return _longpage_goals(task, seed, attack)
    if benchmark == "webarena":
        tasks = webarena_tasks()
        own = next((entry for entry in tasks if str(entry["task_id"]) == rest), None)
        if own is not None:
            return own["intent"], _other_task(own, tasks)
    raise UserError(f"attacks are run on LongPage and WebArena, not on {task!r}", exit_code=2)


def _other_task(own: dict[str, Any], tasks: list[dict[str, Any]]) -> str:
    """The goal of another task of the same template, drawn with the task's id as the seed, as the authors of FocusAgent
    draw it, so that it is the same in every run. A template of one task has none: its own goal is announced."""
    others = [
        task
        for task in tasks
        if task["intent_template_id"] == own["intent_template_id"] and task["task_id"] != own["task_id"]
    ]
    return str((random.Random(own["task_id"]).choice(others) if others else own)["intent"])


def _longpage_goals(task: str, seed: int, attack: str) -> tuple[str, str]:
    from focusagent.longpage.task import LongPageTask

    posed = LongPageTask(seed, task)
    try:
        draw = random.Random(f"other/{attack}/{task}/{seed}")
        return posed.goal, posed.template.goal(posed.template.pose(posed.state, draw), draw)
    finally:
        posed.teardown()


def webarena_forum_tasks() -> list[str]:
    """The tasks whose start URL *begins with* the forum's: 114 of 812, 8 of which also need GitLab. DoomArena's own
    list is fetched from the web at call time; this one is read from the `webarena` package."""
    return [f"webarena.{task['task_id']}" for task in webarena_tasks() if task["start_url"].startswith("__REDDIT__")]


def _free_host() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{probe.getsockname()[1]}"
