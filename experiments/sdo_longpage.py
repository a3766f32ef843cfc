"""Looking again only when something happened, on LongPage with the scripted backbone: what is saved and what is lost.

    python experiments/sdo_longpage.py --out STEPS.jsonl [--tasks 'longpage.*.events' ...] [--seeds 2] [--ablate]
    python experiments/sdo_tables.py STEPS.jsonl

Each setting plays the same tasks; every step becomes one line of STEPS.jsonl, which sdo_tables.py sums up. Episodes
that the file holds already are not played again. The scripted backbone is an instrument: its figures stand beside no
model's."""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from fnmatch import fnmatch
from pathlib import Path
from typing import Any
from zlib import crc32

from focusagent.agents.actions import bids_of

from focusagent.agents.focus_agent import FocusAgent, FocusAgentArgs
from focusagent.agents.sdo.agent import SDOAgent, SDOAgentArgs
from focusagent.agents.shim import goal_text
from focusagent.axtree import AxTree
from focusagent.environments import FocusEnvArgs
from focusagent.focuser import Focuser
from focusagent.longpage.benchmarks import make_benchmark, max_steps
from focusagent.longpage.names import TaskName
from focusagent.longpage.sites import task_names, template_of
from focusagent.retrieval import make_retriever
from focusagent.scripted.model import ScriptedModelArgs
from focusagent.scripted.needed import needed_lines
from focusagent.scripted.policies import next_plan
from focusagent.signals import MODES, ReusingRetriever, SignalKind

MAX_RUNS = 400


@dataclass(frozen=True)
class Setting:
    """`mode` is a reuse mode, or `sdo`; `watched` are the conditions of the detector."""

    name: str
    mode: str
    watched: tuple[str, ...] = tuple(SignalKind)
    retriever: str = "local"

    def make_agent(self, backbone: ScriptedModelArgs, benchmark: Any) -> FocusAgent:
        if self.mode == "sdo":
            args: FocusAgentArgs = SDOAgentArgs(
                backbone, retriever=self.retriever, purposes=False, conditions=self.watched
            )
        else:
            args = FocusAgentArgs(backbone, retriever=self.retriever, reuse=self.mode)  # type: ignore[arg-type]
        args.set_benchmark(benchmark, demo_mode=False)
        agent = args.make_agent()
        kinds = frozenset(SignalKind(name) for name in self.watched)
        mode = "signals" if self.mode == "sdo" else self.mode
        inner = make_retriever(self.retriever)
        agent.focuser.retriever = ReusingRetriever(inner, mode, kinds)  # type: ignore[arg-type]
        return agent


SETTINGS = [*(Setting(f"focus, {mode}", mode) for mode in MODES), Setting("sdo", "sdo")]
ABLATIONS = [
    Setting(f"{name} without {kind}", mode, tuple(other for other in SignalKind if other is not kind))
    for kind in SignalKind
    for name, mode in (("focus, signals,", "signals"), ("sdo", "sdo"))
]


@dataclass(frozen=True)
class Step:
    """One step. `wanted` is what the policy would do if it saw the whole page as it is now; `missed`: the element for
    that is not shown, though a fresh selection would keep it; of the whole page's lines `needed` are needed and `held`
    of those shown; `state` is a hash of the page."""

    setting: str
    task: str
    kind: str
    seed: int
    step: int
    action: str
    wanted: str
    looked: bool
    calls: int
    tree_tokens: int
    shown_tokens: int
    backbone_tokens: int
    signals: list[str]
    missed: bool
    needed: int
    held: int
    state: int
    env_seconds: float
    look_seconds: float
    reward: float


def play(setting: Setting, task: TaskName, seed: int, slip: float) -> Iterator[Step]:
    """One episode; everything is closed at its end."""
    agent = setting.make_agent(ScriptedModelArgs(slip=slip, seed=seed), make_benchmark("chosen", [task]))
    env_args = FocusEnvArgs(task_name=str(task), task_seed=seed, max_steps=max_steps(task), headless=True)
    with tempfile.TemporaryDirectory() as folder:
        env = env_args.make_env(agent.action_set.to_python_code, folder, use_raw_page_output=False)
        try:
            obs, _ = env.reset(seed=seed)
            for number in range(max_steps(task)):
                seen = agent.obs_preprocessor(obs)
                past = list(agent.actions), list(agent.thoughts)
                action, info = agent.get_action(seen)
                started = time.perf_counter()
                obs, reward, terminated, truncated, _ = env.step(action)
                seconds = time.perf_counter() - started
                yield Step(
                    setting=setting.name,
                    task=str(task),
                    kind=template_of(task).kind,
                    seed=seed,
                    step=number,
                    action=action or "",
                    env_seconds=seconds,
                    reward=float(reward),
                    **costs(info.stats),
                    **judged(agent, seen, past, setting.retriever),
                )
                if terminated or truncated:
                    return
        finally:
            env.close()


def costs(stats: dict[str, Any]) -> dict[str, Any]:
    return {
        "looked": not stats.get("sdo_planned_step"),
        "calls": int(stats.get("look_fresh", 0) + stats.get("look_incremental", 0)),
        "tree_tokens": int(stats.get("retriever_tree_tokens", 0)),
        "shown_tokens": int(stats["axtree_tokens_pruned"]),
        "backbone_tokens": int(stats.get("input_tokens", 0)),
        "look_seconds": float(stats.get("retriever_seconds", 0.0)),
        "signals": [str(kind) for kind in SignalKind if stats.get(f"signal_{kind}")],
    }


def judged(
    agent: FocusAgent, seen: dict[str, Any], past: tuple[list[str], list[str]], retriever: str
) -> dict[str, Any]:
    """The step held against the policy on the whole page."""
    goal, tree = goal_text(seen), AxTree.parse(seen["axtree_txt"])

    def act(lines: Any) -> str:
        return next_plan(goal, lines, *past)[0]

    view = "\n".join(agent.newest.lines) if isinstance(agent, SDOAgent) else agent.obs_history[-1]["axtree_txt"]
    shown = AxTree.parse(view)
    texts = {line.name for line in shown.lines}
    wanted = act(tree.lines)
    needed = [tree.line(number) for number in needed_lines(tree.lines, act, MAX_RUNS).lines]
    held = [line for line in needed if (line.bid in shown.by_bid if line.bid else line.name in texts)]
    lost = [bid for bid in bids_of(wanted) if bid not in shown.by_bid]
    last = past[0][-1] if past[0] else ""
    fresh = Focuser(make_retriever(retriever)).focus(tree.text, goal, last_action=last) if lost else None
    return {
        "wanted": wanted,
        "needed": len(needed),
        "held": len(held),
        "missed": fresh is not None and any(bid in AxTree.parse(fresh.text).by_bid for bid in lost),
        "state": crc32(f"{seen.get('url')} {seen['axtree_txt']}".encode()),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--tasks", nargs="+", default=["longpage.*.events"])
    parser.add_argument("--retriever", default="local")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--slip", type=float, default=0.0)
    parser.add_argument("--ablate", action="store_true")
    parser.add_argument("--settings", nargs="+", help="names of settings to play, all by default")
    args = parser.parse_args()
    tasks = [name for name in task_names() if any(fnmatch(str(name), pattern) for pattern in args.tasks)]
    known = [json.loads(line) for line in args.out.read_text().splitlines()] if args.out.exists() else []
    played = {(step["setting"], step["task"], step["seed"]) for step in known}
    with args.out.open("a", encoding="utf-8") as file:
        for task in tasks:
            for seed in range(args.seeds):
                for chosen in [*SETTINGS, *(ABLATIONS if args.ablate else ())]:
                    setting = replace(chosen, retriever=args.retriever)
                    wanted = not args.settings or setting.name in args.settings
                    if wanted and (setting.name, str(task), seed) not in played:
                        steps = list(play(setting, task, seed, args.slip))
                        file.writelines(json.dumps(asdict(step)) + "\n" for step in steps)
                        file.flush()
                        print(f"{task} seed {seed} {setting.name}: reward {steps[-1].reward:.0f} in {len(steps)} steps")


if __name__ == "__main__":
    main()
