"""The one EnvArgs of this project: it serves every benchmark, and makes its own known where it is used."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

import gymnasium as gym
from agentlab.experiments.loop import EnvArgs

from focusagent.compat.chat import skip_unseen_chat_windows

BENCHMARK_MODULES = {"longpage": "focusagent.longpage", "apps": "focusagent.apps"}
"""First part of a task's name -> the module that registers the benchmark's tasks and policies when imported."""


def know_benchmark(task_name: str) -> None:
    """Register the task's benchmark in this process if it is one of ours; a worker knows only BrowserGym's own."""
    if module := BENCHMARK_MODULES.get(task_name.partition(".")[0]):
        import_module(module)


class Wrapper(Protocol):
    """Something that changes the environment an agent meets, such as DoomArena's gateway. Must pickle."""

    def wrap(self, env: gym.Env[Any, Any]) -> gym.Env[Any, Any]: ...


@dataclass
class FocusEnvArgs(EnvArgs):
    """AgentLab's EnvArgs for any benchmark. The sandbox wraps the environment first, so that it holds from the task's
    first page on; then each of `attacks`, the last one outermost."""

    attacks: tuple[Wrapper, ...] = ()
    sandbox: Wrapper | None = None  # such as `security.sandbox.environment.SandboxArgs`

    def __setstate__(self, state: dict[str, Any]) -> None:
        """In a worker that unpickles it, the benchmark is known from then on."""
        self.__dict__.update(state)
        know_benchmark(self.task_name)

    def make_env(
        self,
        action_mapping: Any,
        exp_dir: str | Path,
        exp_task_kwargs: dict[str, Any] | None = None,
        use_raw_page_output: bool = True,
    ) -> gym.Env[Any, Any]:
        know_benchmark(self.task_name)
        if not self.wait_for_user_message:
            skip_unseen_chat_windows()
        env: gym.Env[Any, Any] = super().make_env(action_mapping, exp_dir, exp_task_kwargs or {}, use_raw_page_output)
        if self.sandbox:
            env = self.sandbox.wrap(env)
        for attack in self.attacks:
            env = attack.wrap(env)
        return env
