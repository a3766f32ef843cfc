"""An environment and an agent for AgentLab's real loop that need no browser: an episode takes milliseconds."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gymnasium as gym
from agentlab.agents.agent_args import AgentArgs
from agentlab.experiments.loop import EnvArgs
from bgym import AgentInfo, Benchmark, HighLevelActionSetArgs
from browsergym.core.action.highlevel import HighLevelActionSet

PAGE = "RootWebArea 'page'\n\t[1] button 'Go'"


class PagelessEnv(gym.Env):
    """Solved by its third action; `task` may say what goes wrong instead."""

    def __init__(self, task: str, folder: Path) -> None:
        self.task, self.folder, self.steps = task, folder, 0

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[dict[str, Any], dict[str, Any]]:
        (self.folder / "started").write_text(str(os.getpid()))
        if "kill-worker" in self.task and not _once(self.folder.parent / f"killed-{self.task}"):
            os.kill(os.getpid(), signal.SIGKILL)
        if "hang" in self.task:
            while True:
                time.sleep(60)
        if "slow" in self.task:
            time.sleep(0.5)
        return {"axtree_txt": PAGE, "goal": "go"}, {}

    def step(self, action: str) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        self.steps += 1
        if "error-once" in self.task and not _once(self.folder.parent / f"failed-{self.task}"):
            raise RuntimeError("the page is gone")
        done = self.steps == 3
        info = {"action_exec_start": 0.0, "action_exec_stop": 0.0, "action_exec_timeout": 0.0}
        return {"axtree_txt": PAGE, "goal": "go"}, float(done), done, False, info

    def close(self) -> None:
        with (self.folder.parent / "closed.txt").open("a") as file:
            file.write(f"{self.task}\n")


def _once(marker: Path) -> bool:
    """Whether this was asked before."""
    try:
        marker.touch(exist_ok=False)
    except FileExistsError:
        return True
    return False


@dataclass
class PagelessEnvArgs(EnvArgs):
    def make_env(self, action_mapping: Any, exp_dir: Any, *args: Any, **kwargs: Any) -> gym.Env:
        return PagelessEnv(self.task_name, Path(exp_dir))


class PressingAgent:
    action_set = HighLevelActionSet(subsets=("bid",))

    def __init__(self, cost: float) -> None:
        self.cost = cost

    def obs_preprocessor(self, obs: dict[str, Any]) -> dict[str, Any]:
        return obs

    def get_action(self, obs: dict[str, Any]) -> tuple[str, AgentInfo]:
        stats = {
            "axtree_tokens_full": 100,
            "axtree_tokens_pruned": 40,
            "input_tokens": 50,
            "cost": self.cost,
            "retriever_cost_unknown": 0,
            "backbone_cost_unknown": 0,
        }
        return "click('1')", AgentInfo(stats=stats)


@dataclass
class PressingAgentArgs(AgentArgs):
    agent_name: str = "presser"
    cost: float = 0.5

    def make_agent(self) -> PressingAgent:
        return PressingAgent(self.cost)


def pageless(tasks: list[str]) -> Benchmark:
    return Benchmark(
        name="pageless",
        high_level_action_set_args=HighLevelActionSetArgs(subsets=("bid",)),
        is_multi_tab=False,
        supports_parallel_seeds=True,
        env_args_list=[PagelessEnvArgs(task_name=task, task_seed=seed, max_steps=5) for seed, task in enumerate(tasks)],
        backends=[],
    )
