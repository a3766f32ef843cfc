"""The LLM retriever in AgentLab's own loop, in a browser: the server is the retriever, the scripted backbone acts."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from agentlab.experiments.loop import ExpArgs, ExpResult
from agentlab.llm.chat_api import OpenAIModelArgs

from focusagent import FocusAgentArgs
from focusagent.axtree import KEEPS
from focusagent.longpage import TaskName, make_benchmark
from focusagent.retrieval.llm.prompting import STRATEGIES
from focusagent.scripted.model import ScriptedModelArgs

TASK = "longpage.forum.reply_comment.1k"
HEADINGS = {
    "soft": "When in doubt about a line, keep it",
    "neutral": "Choose the lines that are relevant",
    "aggressive": "Keep as little as possible",
    "defense": "Be on guard",
}


@dataclass(frozen=True)
class Episode:
    summary: dict[str, Any]
    infos: list[Any]


def play(args: FocusAgentArgs, folder: Path, max_steps: int | None = None) -> Episode:
    benchmark = make_benchmark("one", [TaskName.parse(TASK)])
    args.set_benchmark(benchmark, demo_mode=False)
    (env_args,) = benchmark.env_args_list
    env_args.max_steps = max_steps or env_args.max_steps
    run = ExpArgs(agent_args=args, env_args=env_args)
    run.prepare(folder)
    run.run()
    result = ExpResult(run.exp_dir)
    return Episode(dict(result.summary_info), [step.agent_info for step in result.steps_info if step.action])


def focus_args(**settings: Any) -> FocusAgentArgs:
    model = OpenAIModelArgs("gpt-4.1-mini", max_total_tokens=128_000, max_new_tokens=1_000, temperature=0.0)
    return FocusAgentArgs(ScriptedModelArgs(), retriever_model_args=model, skip_below=0, **settings)


def all_but_the_last_lines(prompt: str) -> str:
    last = int(re.findall(r"^(\d+):? ", prompt, re.MULTILINE)[-1])
    return f"<think>The footer does not matter.</think><answer>[(1, {last - 4})]</answer>"


def only_the_first_line(prompt: str) -> str:
    return "<answer>[(1, 1)]</answer>"


def test_an_episode_with_the_llm_retriever_is_solved_and_priced(llm_server: Any, tmp_path: Path) -> None:
    llm_server.answer = all_but_the_last_lines
    episode = play(focus_args(), tmp_path)
    assert episode.summary["cum_reward"] == 1, episode.summary["err_msg"]
    assert episode.summary["stats.cum_retriever_fallback"] == 0
    assert episode.summary["stats.cum_retriever_calls"] == len(llm_server.received) == episode.summary["n_steps"]
    assert episode.summary["stats.cum_cost"] == pytest.approx(episode.summary["stats.cum_retriever_cost"])
    assert episode.summary["stats.cum_retriever_cost"] > 0


def test_a_provider_that_is_down_leaves_the_backbones_own_result(llm_server: Any, tmp_path: Path) -> None:
    llm_server.always = llm_server.status(503, "overloaded")
    episode = play(focus_args(), tmp_path)
    assert episode.summary["cum_reward"] == 1, episode.summary["err_msg"]
    assert episode.summary["stats.max_retriever_fallback"] == 1
    assert episode.summary["stats.cum_retriever_fallback"] == episode.summary["n_steps"]
    assert all("server_error" in info["html_page"] for info in episode.infos)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("strategy", "keep", "history"),
    [*itertools.product(STRATEGIES, ("nothing",), (False, True)), *(("soft", keep, False) for keep in KEEPS[1:])],
)
def test_every_strategy_format_and_history_runs(
    llm_server: Any, tmp_path: Path, strategy: str, keep: Any, history: bool
) -> None:
    # marks pay only where much is removed: else the page is shown as received
    llm_server.answer = only_the_first_line if "marked" in keep else all_but_the_last_lines
    args = focus_args(strategy=strategy, keep=keep, retriever_kwargs={"history": history})
    episode = play(args, tmp_path, max_steps=2)
    assert not episode.summary["err_msg"]
    assert episode.summary["stats.cum_retriever_fallback"] == 0
    for number, received in enumerate(llm_server.received):
        assert HEADINGS[strategy] in received.prompt
        assert ("What the agent has done so far" in received.prompt) == (history and number > 0)
    left = "... removed ..." if "marked" in keep else "... pruned"
    assert all(left in info["extra_info"]["focusagent"]["pruned_axtree"] for info in episode.infos)
