"""Every task in a real browser on the real application: its policy is rewarded, a near miss is not."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import gymnasium
import pytest

from focusagent.apps import APPS, AppTaskName, task_names
from focusagent.apps.benchmarks import max_steps
from focusagent.apps.database import World
from focusagent.apps.install import install
from focusagent.apps.snapshot import snapshot
from focusagent.apps.task import stop_copies
from focusagent.axtree import AxTree
from focusagent.longpage.outcome import Answered
from focusagent.longpage.play import axtree_text, play
from focusagent.scripted.policies import next_plan

pytestmark = pytest.mark.apps
TASKS = [pytest.param(name, id=str(name)) for name in task_names()]


@pytest.fixture(scope="module", autouse=True)
def _applications() -> Iterator[None]:
    for app in APPS.values():
        install(app)
    yield
    stop_copies()


@pytest.mark.parametrize("name", TASKS)
def test_the_policy_is_rewarded(name: AppTaskName) -> None:
    steps = list(play(name, 0, max_steps(name)))
    assert [step.reward for step in steps] == [0.0] * (len(steps) - 1) + [1.0]


@pytest.mark.parametrize("name", TASKS)
def test_a_near_miss_is_not_rewarded(name: AppTaskName) -> None:
    """The same work done for another instance of the template; a rival's name where an answer is asked."""
    env = gymnasium.make(f"browsergym/{name}", headless=True, disable_env_checker=True)
    try:
        env.reset(seed=0)
        task: Any = env.unwrapped.task  # type: ignore[attr-defined]
        if isinstance(task.posed.outcome, Answered):
            assert env.step(f"send_msg_to_user({task.posed.outcome.rivals[0]!r})")[1:3] == (0.0, True)
            return
        goal = _turn_to_another_instance(env, task)
        assert _follow(env, goal, max_steps(name)) == 0
        assert task.state.change(), "nothing was done at all"
    finally:
        env.close()


def _turn_to_another_instance(env: Any, task: Any) -> str:
    """Its goal; the browser goes where it starts."""
    world = World(snapshot(task.app, 0), task.app.spec.database)
    posed = [task.template.pose(world, random.Random(number)) for number in range(30)]
    world.close()
    other = next(one for one in posed if one.slots != task.posed.slots and one.outcome != task.posed.outcome)
    env.step(f"goto({task.origin + other.start!r})")
    return str(task.template.wordings[0].format_map(other.slots))


def _follow(env: Any, goal: str, limit: int) -> float:
    """The highest reward on the way."""
    actions, thoughts, best = list[str](), list[str](), 0.0
    obs = env.step("noop()")[0]
    for _ in range(limit):
        plan = next_plan(goal, AxTree.parse(axtree_text(obs)).lines, actions, thoughts)
        if plan[0].startswith("report_infeasible"):
            break
        obs, reward, done, *_ = env.step(plan[0])
        best = max(best, reward)
        actions.append(plan[0])
        thoughts.append(plan.note)
        if done:
            break
    return best
