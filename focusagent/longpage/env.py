"""The one EnvArgs of this project. Unpickling it in a worker imports this module and so registers LongPage there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import gymnasium as gym
from agentlab.experiments.loop import EnvArgs

import focusagent.longpage  # noqa: F401  registers tasks, benchmarks and policies
from focusagent.compat.chat import skip_unseen_chat_windows


class Attack(Protocol):
    """Something that changes the environment an agent meets, such as DoomArena's gateway. Must pickle."""

    def wrap(self, env: gym.Env[Any, Any]) -> gym.Env[Any, Any]: ...


@dataclass
class FocusEnvArgs(EnvArgs):
    """AgentLab's EnvArgs for any benchmark; each of `attacks` wraps the environment, the last one outermost."""

    attacks: tuple[Attack, ...] = ()

    def make_env(
        self,
        action_mapping: Any,
        exp_dir: str | Path,
        exp_task_kwargs: dict[str, Any] | None = None,
        use_raw_page_output: bool = True,
    ) -> gym.Env[Any, Any]:
        if not self.wait_for_user_message:
            skip_unseen_chat_windows()
        env: gym.Env[Any, Any] = super().make_env(action_mapping, exp_dir, exp_task_kwargs or {}, use_raw_page_output)
        for attack in self.attacks:
            env = attack.wrap(env)
        return env
