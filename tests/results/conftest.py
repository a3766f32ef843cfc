"""Result folders in AgentLab's own format, written by AgentLab's own classes; only the browser is left out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest


@dataclass
class Episode:
    """What one run is to look like. `stats` is one dictionary a step."""

    agent: str = "focus__gpt-4.1__gpt-4.1-mini"
    task: str = "longpage.forum.vote.25k"
    seed: int = 0
    reward: float = 1.0
    stats: list[dict[str, Any]] = field(default_factory=list)
    error: str | None = None
    ends: bool = True
    task_info: dict[str, Any] | None = None


def write_episode(study: Path, episode: Episode) -> Path:
    from agentlab.agents.generic_agent.generic_agent import GenericAgentArgs
    from agentlab.experiments.loop import EnvArgs, ExpArgs, StepInfo
    from agentlab.llm.chat_api import CheatMiniWoBLLMArgs
    from bgym import AgentInfo

    agent_args = GenericAgentArgs(chat_model_args=CheatMiniWoBLLMArgs())
    agent_args.agent_name = episode.agent
    args = ExpArgs(agent_args, EnvArgs(episode.task, task_seed=episode.seed, max_steps=15))
    args.prepare(study)
    steps = []
    for number, stats in enumerate(episode.stats):
        info = AgentInfo(stats=dict(stats), extra_info={"focusagent": {"fallback": None, "skip": "small_page"}})
        steps.append(StepInfo(step=number, obs={"axtree_txt": "RootWebArea 'x'"}, action="click('1')", agent_info=info))
        steps[-1].make_stats()
    if episode.ends:
        steps.append(StepInfo(step=len(steps), obs={}, reward=episode.reward, terminated=True, truncated=False))
        steps[-1].task_info = episode.task_info
    for step in steps:
        step.save_step_info(args.exp_dir)
    if episode.ends or episode.error:
        args.save_summary_info(steps, args.exp_dir, episode.error, None)
    (args.exp_dir / "package_versions.txt").write_text("agentlab==0.4.2\nplaywright==1.44.0")
    return Path(args.exp_dir)


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """`write(study="a", **fields of Episode)` -> the episode's folder, below `tmp_path`."""
    return lambda study="2026-01-01_10-00-00_a", **fields: write_episode(tmp_path / study, Episode(**fields))
