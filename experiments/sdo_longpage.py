"""Looking again only when something happened, on LongPage with the scripted backbone: what is saved and what is lost.

    python experiments/sdo_longpage.py [--tasks 'longpage.*.1k' ...] [--seeds 2] [--slip 0] [--ablate] [--out FILE]

Each setting plays the same tasks. The scripted backbone is an instrument: its figures stand beside no model's.

- calls: the retriever's (for sdo: sub-calls); tree tokens: o200k tokens of tree text handed to it.
- miss: the element that the policy would act on if it saw the whole page is not shown, though a fresh selection of this
  page would keep it.
- outdated: a planned action other than the one that the policy would take on the page as it is now."""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from focusagent.agents.actions import bids_of
from focusagent.agents.focus_agent import FocusAgent, FocusAgentArgs
from focusagent.agents.sdo import SDOAgent, SDOAgentArgs
from focusagent.agents.shim import goal_text
from focusagent.axtree import AxTree
from focusagent.focuser import Focuser
from focusagent.longpage.benchmarks import make_benchmark, max_steps
from focusagent.longpage.env import FocusEnvArgs
from focusagent.longpage.names import TaskName
from focusagent.longpage.sites import task_names
from focusagent.models.scripted import ScriptedModelArgs
from focusagent.models.scripted_policies import next_plan
from focusagent.retrieval import make_retriever
from focusagent.signals import MODES, ReusingRetriever, SignalKind


@dataclass(frozen=True)
class Setting:
    """`mode` is a reuse mode, or `sdo`; `watched` are the conditions of the detector."""

    name: str
    mode: str
    watched: tuple[str, ...] = tuple(SignalKind)

    def make_agent(self, backbone: ScriptedModelArgs, benchmark: Any) -> FocusAgent:
        if self.mode == "sdo":
            args: FocusAgentArgs = SDOAgentArgs(backbone, retriever="local", conditions=self.watched)
        else:
            args = FocusAgentArgs(backbone, retriever="local", reuse=self.mode)  # type: ignore[arg-type]
        args.set_benchmark(benchmark, demo_mode=False)
        agent = args.make_agent()
        kinds = frozenset(SignalKind(name) for name in self.watched)
        mode = "signals" if self.mode == "sdo" else self.mode
        agent.focuser.retriever = ReusingRetriever(make_retriever("local"), mode, kinds)  # type: ignore[arg-type]
        return agent


SETTINGS = [*(Setting(f"focus-local, {mode}", mode) for mode in MODES), Setting("sdo-local", "sdo")]


def ablations() -> Iterator[Setting]:
    for kind in SignalKind:
        watched = tuple(other for other in SignalKind if other is not kind)
        yield Setting(f"reuse without {kind}", "signals", watched)
        yield Setting(f"sdo without {kind}", "sdo", watched)


@dataclass(frozen=True)
class Step:
    setting: str
    task: str
    seed: int
    step: int
    action: str
    calls: int
    tree_tokens: int
    backbone_calls: int
    shown_tokens: int
    signals: str
    missed: bool
    outdated: bool
    reward: float


def play(setting: Setting, task: TaskName, seed: int, backbone: ScriptedModelArgs) -> Iterator[Step]:
    """One episode; everything is closed at its end."""
    benchmark = make_benchmark("chosen", [task])
    agent = setting.make_agent(backbone, benchmark)
    env_args = FocusEnvArgs(task_name=str(task), task_seed=seed, max_steps=max_steps(task), headless=True)
    with tempfile.TemporaryDirectory() as folder:
        env = env_args.make_env(agent.action_set.to_python_code, folder, use_raw_page_output=False)
        try:
            obs, _ = env.reset(seed=seed)
            for number in range(max_steps(task)):
                seen = agent.obs_preprocessor(obs)
                wanted = next_plan(
                    goal_text(seen), AxTree.parse(seen["axtree_txt"]).lines, agent.actions, agent.thoughts
                )
                action, info = agent.get_action(seen)
                obs, reward, terminated, truncated, _ = env.step(action)
                missed = is_missed(agent, seen, wanted[0])
                yield describe(setting, task, seed, number, action or "", info.stats, wanted[0], missed, float(reward))
                if terminated or truncated:
                    return
        finally:
            env.close()


def is_missed(agent: FocusAgent, seen: dict[str, Any], wanted: str) -> bool:
    """Whether a fresh selection shows what the policy wants and the agent's view of the page does not."""
    view = "\n".join(agent.newest.lines) if isinstance(agent, SDOAgent) else agent.obs_history[-1]["axtree_txt"]
    shown = AxTree.parse(view).by_bid
    lost = [bid for bid in bids_of(wanted) if bid not in shown]
    if not lost:
        return False
    last = str(agent.actions[-2]) if len(agent.actions) > 1 else ""
    fresh = Focuser(make_retriever("local")).focus(seen["axtree_txt"], goal_text(seen), last_action=last)
    kept = AxTree.parse(fresh.text).by_bid
    return any(bid in kept for bid in lost)


def describe(
    setting: Setting,
    task: TaskName,
    seed: int,
    number: int,
    action: str,
    stats: Any,
    wanted: str,
    missed: bool,
    reward: float,
) -> Step:
    planned = bool(stats.get("sdo_planned_step"))
    return Step(
        setting=setting.name,
        task=str(task),
        seed=seed,
        step=number,
        action=action,
        calls=int(stats.get("look_fresh", 0) + stats.get("look_incremental", 0)),
        tree_tokens=int(stats.get("retriever_tree_tokens", 0)),
        backbone_calls=0 if planned else 1,
        shown_tokens=int(stats["axtree_tokens_pruned"]),
        signals=" ".join(kind for kind in SignalKind if stats.get(f"signal_{kind}")),
        missed=missed,
        outdated=planned and action != wanted,
        reward=reward,
    )


def report(setting: Setting, steps: list[Step], baseline: list[Step]) -> None:
    episodes = {(step.task, step.seed): step.reward for step in steps}
    calls, tokens = sum(step.calls for step in steps), sum(step.tree_tokens for step in steps)
    base_calls, base_tokens = sum(step.calls for step in baseline), sum(step.tree_tokens for step in baseline)
    fired = [kind for step in steps for kind in step.signals.split()]
    print(
        f"{setting.name:32} success {sum(episodes.values()):4.0f}/{len(episodes):<4} steps {len(steps):4}"
        f"  calls {calls:4} ({calls / base_calls - 1:+.0%})  tree tokens {tokens:8} ({tokens / base_tokens - 1:+.0%})"
        f"  backbone calls {sum(step.backbone_calls for step in steps):4}"
        f"  shown {sum(step.shown_tokens for step in steps):7}"
        f"  misses {sum(step.missed for step in steps)}  outdated {sum(step.outdated for step in steps)}"
    )
    print(f"{'':32} fired: " + ", ".join(f"{kind} {fired.count(kind)}" for kind in SignalKind))
    for step in steps:
        if step.missed or step.outdated:
            what = "miss" if step.missed else "outdated"
            print(f"{'':32} {what}: {step.task} seed {step.seed} step {step.step}: {step.action[:80]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", nargs="+", default=["longpage.*.1k", "longpage.*.1k.events"])
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--slip", type=float, default=0.0)
    parser.add_argument("--ablate", action="store_true")
    parser.add_argument("--settings", nargs="+", help="names to play, all by default")
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    tasks = [name for name in task_names() if any(fnmatch(str(name), pattern) for pattern in args.tasks)]
    backbone = ScriptedModelArgs(slip=args.slip)
    baseline: list[Step] = []
    print(f"{len(tasks)} tasks, {args.seeds} seeds each, slip {args.slip}")
    for setting in [*SETTINGS, *(ablations() if args.ablate else ())]:
        if args.settings and setting.name not in args.settings:
            continue
        steps = [
            step
            for task in tasks
            for seed in range(args.seeds)
            for step in play(setting, task, seed, replace(backbone, seed=seed))
        ]
        baseline = baseline or steps
        report(setting, steps, baseline)
        if args.out:
            with args.out.open("a", encoding="utf-8") as file:
                file.writelines(json.dumps(asdict(step)) + "\n" for step in steps)


if __name__ == "__main__":
    main()
