"""What a second look regains: LongPage with the local retriever at hard cuts, with looks and without.

    python experiments/second_look.py [--tasks forum.reply_comment forum.upvote_comment ...] [--size 8k]
        [--shares 0.2 0.1 0.05] [--looks 2] [--seeds 2]

The backbone is the scripted instrument: the figures compare settings with each other and say nothing of a model."""

from __future__ import annotations

import argparse
import logging
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import focusagent  # noqa: F401  settles the environment before AgentLab is imported

TASKS = ("forum.reply_comment", "forum.upvote_comment", "shop.who_reviewed", "shop.put_in_cart", "shop.thank_reviewer")


@dataclass(frozen=True)
class Setting:
    share: float
    looks: int


@dataclass(frozen=True)
class Outcome:
    solved: bool
    steps: int
    full: float
    shown: float
    read: float
    looks: float

    @classmethod
    def of(cls, summary: dict[str, Any]) -> Outcome:
        def total(name: str) -> float:
            return float(summary.get(f"stats.cum_{name}") or 0)

        return cls(
            summary["cum_reward"] == 1,
            int(summary["n_steps"]),
            total("axtree_tokens_full"),
            total("axtree_tokens_pruned"),
            total("input_tokens"),
            total("second_looks"),
        )


def play(task: str, size: str, seed: int, setting: Setting, folder: Path) -> Outcome:
    from agentlab.experiments.loop import ExpArgs, ExpResult

    from focusagent import FocusAgentArgs
    from focusagent.longpage import TaskName, make_benchmark
    from focusagent.scripted.model import ScriptedModelArgs

    benchmark = make_benchmark("one", [TaskName.parse(f"longpage.{task}.{size}")])
    agent = FocusAgentArgs(
        ScriptedModelArgs(),
        retriever="local",
        retriever_kwargs={"share": setting.share},
        second_look=setting.looks,
    )
    agent.set_benchmark(benchmark, demo_mode=False)
    (env_args,) = benchmark.env_args_list
    env_args.task_seed = seed
    run = ExpArgs(agent_args=agent, env_args=env_args, logging_level=logging.ERROR, logging_level_stdout=logging.ERROR)
    run.prepare(folder)
    run.run()
    return Outcome.of(dict(ExpResult(run.exp_dir).summary_info))


def row(setting: Setting, outcomes: Sequence[Outcome]) -> str:
    steps = sum(outcome.steps for outcome in outcomes)
    full, shown = (sum(getattr(outcome, name) for outcome in outcomes) for name in ("full", "shown"))
    return (
        f"{setting.share:>6} {setting.looks:>6} {sum(outcome.solved for outcome in outcomes):>4} / {len(outcomes):<4}"
        f" {1 - shown / full:>7.3f} {steps / len(outcomes):>6.1f} {sum(o.looks for o in outcomes) / steps:>10.2f}"
        f" {sum(o.read for o in outcomes) / steps:>14,.0f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", nargs="+", default=list(TASKS))
    parser.add_argument("--size", default="8k")
    parser.add_argument("--shares", type=float, nargs="+", default=[0.2, 0.1, 0.05])
    parser.add_argument("--looks", type=int, default=2)
    parser.add_argument("--seeds", type=int, default=2)
    arguments = parser.parse_args()
    print(" share  looks   solved  pruning  steps looks/step  tokens in/step")
    for share in arguments.shares:
        for looks in (0, arguments.looks):
            setting = Setting(share, looks)
            with tempfile.TemporaryDirectory() as folder:
                outcomes = [
                    play(task, arguments.size, seed, setting, Path(folder))
                    for task in arguments.tasks
                    for seed in range(arguments.seeds)
                ]
            print(row(setting, outcomes), flush=True)


if __name__ == "__main__":
    main()
