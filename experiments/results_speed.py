"""Tables and figures of 10,000 recorded steps from their index: seconds and peak memory.

python experiments/results_speed.py [EPISODES]   (ten steps each, written in AgentLab's own format first)"""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

STEPS = 10
AGENTS = ("generic-bt__scripted", "generic-bt-5k__scripted", "bm25-200__scripted", "focus-local__scripted")


def record(root: Path, episodes: int) -> None:
    """Episodes of made-up figures: what is timed does not depend on them."""
    from agentlab.agents.generic_agent.generic_agent import GenericAgentArgs
    from agentlab.experiments.loop import EnvArgs, ExpArgs, StepInfo
    from agentlab.llm.chat_api import CheatMiniWoBLLMArgs
    from browsergym.experiments.agent import AgentInfo

    draw = random.Random(0)
    for number in range(episodes):
        agent = GenericAgentArgs(chat_model_args=CheatMiniWoBLLMArgs())
        agent.agent_name = AGENTS[number % len(AGENTS)]
        task = f"longpage.forum.task_{number // len(AGENTS) % 20}.8k"
        args = ExpArgs(agent, EnvArgs(task, task_seed=number // 80, max_steps=15))
        args.prepare(root)
        steps = []
        for index in range(STEPS):
            full = draw.randrange(1_000, 12_000)
            stats = {"axtree_tokens_full": full, "axtree_tokens_pruned": int(full * draw.random()), "cost": 0.0}
            stats |= {"retriever_cost_unknown": 0, "backbone_cost_unknown": 0, "input_tokens": full}
            info = AgentInfo(stats=stats, extra_info={"focusagent": {}})
            steps.append(StepInfo(step=index, obs={"axtree_txt": "x" * 1_000}, action="noop()", agent_info=info))
            steps[-1].make_stats()
        steps.append(StepInfo(step=STEPS, obs={}, reward=float(draw.random() < 0.5), terminated=True, truncated=False))
        for step in steps:
            step.save_step_info(args.exp_dir)
        args.save_summary_info(steps, args.exp_dir, None, None)


def measure(root: Path) -> None:
    from focusagent.results.report import write_report

    for name in ("first reading", "from the index"):
        started = time.perf_counter()
        made = write_report(root, root / "report")
        seconds = time.perf_counter() - started
        print(f"{name}: {made.tables} tables, {made.figures} figures in {seconds:.1f} s")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        measure(Path(sys.argv[2]))
    else:
        count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
        with tempfile.TemporaryDirectory() as folder:
            record(Path(folder) / "study", count)
            print(f"{count} episodes, {count * STEPS} steps")
            subprocess.run([sys.executable, __file__, "--measure", str(Path(folder) / "study")], check=True)
