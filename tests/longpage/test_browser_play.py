"""Tasks in a real browser: AgentLab's own agent with the scripted backbone, and policies alone."""

from __future__ import annotations

import random
import re
import socket
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import pytest
from agentlab.agents.agent_args import AgentArgs
from browsergym.core.action.highlevel import HighLevelActionSet
from browsergym.experiments.agent import Agent, AgentInfo

from focusagent.axtree import AxTree
from focusagent.longpage import SITES, TaskName, task_names
from focusagent.longpage.benchmarks import max_steps
from focusagent.longpage.play import play
from focusagent.longpage.server import SiteServer
from focusagent.scripted.policies import next_plan

SAMPLE = [
    "longpage.forum.reply_comment.1k",
    "longpage.shop.return_order.8k.events",
    "longpage.desk.reassign.1k",
]
SMALLEST = [str(name) for name in task_names() if name.size == "1k" and not name.events]


def _solve(name: str, seed: int = 0) -> None:
    task = TaskName.parse(name)
    steps = list(play(task, seed, max_steps(task)))
    assert steps[-1].reward == 1, [(step.plan, step.error) for step in steps]
    assert task.events or 3 * len(steps) <= max_steps(task)
    draw = random.Random(name)
    for step in steps:
        lines = AxTree.parse(step.axtree).lines
        for _ in range(20):
            share = draw.random()
            shown = [line for line in lines if draw.random() < share]
            assert next_plan(step.goal, shown, step.actions, step.thoughts)
        without_bids = AxTree.parse(re.sub(r"\[\w+\] ", "", step.axtree)).lines
        assert "('')" not in next_plan(step.goal, without_bids, step.actions, step.thoughts)[0]


@pytest.mark.parametrize("name", SAMPLE)
def test_a_sample_is_solved_and_its_policies_bear_missing_lines(name: str) -> None:
    _solve(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALLEST)
def test_every_template_is_solved_at_its_smallest_size(name: str) -> None:
    _solve(name)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "longpage.forum.most_discussed.60k",
        "longpage.forum.upvote_comment.130k",
        "longpage.shop.remove_line.130k",
        "longpage.desk.sort_incidents.130k",
        "longpage.code.resolve_thread.130k",
    ],
)
def test_the_largest_sizes_are_solved(name: str) -> None:
    _solve(name, seed=1)


def test_old_orders_come_when_one_scrolls_down_to_them() -> None:
    steps = list(play(TaskName.parse("longpage.shop.order_total.8k"), 0, 5))
    scrolled = next(number for number, step in enumerate(steps) if step.plan[0].startswith("scroll("))
    before, after = (steps[scrolled + late].axtree.count("Order details") for late in (0, 1))
    assert 0 < before < after
    assert "Scroll down for older orders" not in steps[scrolled + 1].axtree
    assert steps[-1].reward == 1


def test_agentlab_plays_a_task_and_leaves_nothing_behind(tmp_path: Path) -> None:
    result = _run_generic_agent("longpage.forum.new_thread.1k", tmp_path)
    assert result["cum_reward"] == 1
    assert not result["err_msg"]
    assert result["stats.cum_input_tokens"] > 1_000
    assert result["stats.cum_cost"] == 0
    assert not [thread for thread in threading.enumerate() if thread.name == "longpage-site"]


def test_a_crashed_episode_leaves_no_server_and_no_browser(tmp_path: Path) -> None:
    before = set(psutil.Process().children(recursive=True))
    result = _run("longpage.forum.new_thread.1k", CrashingArgs("crashing"), tmp_path)
    assert "as it should" in result["err_msg"]
    assert not [thread for thread in threading.enumerate() if thread.name == "longpage-site"]
    left = set(psutil.Process().children(recursive=True)) - before
    assert not [child.name() for child in left if "chrom" in child.name()]


def test_episodes_side_by_side_do_not_disturb_each_other() -> None:
    one, other = (play(TaskName.parse("longpage.forum.upvote_comment.1k"), seed, 5) for seed in (0, 0))
    first, second = next(one), next(other)
    assert first.reward == second.reward == 1
    assert first.axtree != second.axtree
    assert _without_port(first.axtree) == _without_port(second.axtree)
    one.close()
    other.close()


def test_the_port_is_free_again_after_stop() -> None:
    site = SITES["forum"]
    server = SiteServer(site.app(site.state(0, "1k")))
    port = int(server.start().rpartition(":")[2])
    server.stop()
    server.stop()
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", port)) != 0


def _without_port(text: str) -> str:
    return re.sub(r"127\.0\.0\.1:\d+", "origin", text)


class Crashing(Agent):
    action_set = HighLevelActionSet()

    def get_action(self, obs: Any) -> tuple[str, AgentInfo]:
        raise RuntimeError("broken, as it should be")


@dataclass
class CrashingArgs(AgentArgs):
    agent_name: str

    def make_agent(self) -> Crashing:
        return Crashing()


def _run_generic_agent(name: str, folder: Path) -> dict[str, Any]:
    from agentlab.agents.generic_agent.generic_agent import GenericAgentArgs

    from focusagent.agents.flags import paper_flags
    from focusagent.scripted.model import ScriptedModelArgs

    return _run(name, GenericAgentArgs(chat_model_args=ScriptedModelArgs(), flags=paper_flags()), folder)


def _run(name: str, agent: AgentArgs, folder: Path) -> dict[str, Any]:
    from agentlab.experiments.loop import ExpArgs, ExpResult

    from focusagent.longpage import make_benchmark

    benchmark = make_benchmark("one", [TaskName.parse(name)])
    agent.set_benchmark(benchmark, demo_mode=False)
    (env_args,) = benchmark.env_args_list
    run = ExpArgs(agent_args=agent, env_args=env_args)
    run.prepare(folder)
    run.run()
    return dict(ExpResult(run.exp_dir).summary_info)
