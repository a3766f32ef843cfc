"""`focusing` around AgentLab's tool-use agent, in AgentLab's loop and a real browser, on the real OpenAI client."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

from agentlab.agents.tool_use_agent.tool_use_agent import (
    DEFAULT_PROMPT_CONFIG,
    OpenAIChatModelArgs,
    Summarizer,
    TaskHint,
    ToolUseAgentArgs,
)
from agentlab.experiments.loop import ExpArgs, ExpResult

from focusagent import focusing
from focusagent.environments import FocusEnvArgs

CONFIG = replace(
    DEFAULT_PROMPT_CONFIG,
    obs=replace(DEFAULT_PROMPT_CONFIG.obs, use_screenshot=False),
    summarizer=Summarizer(do_summary=False),
    task_hint=TaskHint(use_task_hint=False),
    action_subsets=("bid",),
)
CLICK = {
    "id": "call_1",
    "type": "function",
    "function": {"name": "click", "arguments": '{"bid": "13"}'},
}


def tool_use_agent() -> ToolUseAgentArgs:
    model = OpenAIChatModelArgs(model_name="gpt-4.1", max_total_tokens=100_000, max_new_tokens=500, temperature=0.1)
    return ToolUseAgentArgs(model_args=model, config=CONFIG)


def test_the_tool_use_agent_acts_on_a_focused_page(llm_server: Any, tmp_path: Path) -> None:
    llm_server.always = llm_server.with_message(tool_calls=[CLICK], finish_reason="tool_calls")
    agent = focusing(tool_use_agent(), retriever="roles", skip_below=0)
    episode = ExpArgs(agent, FocusEnvArgs("miniwob.click-test", task_seed=1, max_steps=3))
    episode.prepare(tmp_path)
    episode.run()
    result = ExpResult(episode.exp_dir)
    assert result.summary_info["err_msg"] is None
    assert result.summary_info["cum_reward"] == 1
    prompt = llm_server.received[0].prompt
    assert "[13] button 'Click Me!'" in prompt
    assert "... pruned 1 line ..." in prompt
    step = result.steps_info[0]
    assert step.stats["axtree_tokens_pruned"] < step.stats["axtree_tokens_full"]
    assert step.agent_info.extra_info["focusagent"]["ranges"] == [[2, 2]]
    assert "Click Me!" in step.agent_info.html_page


def test_the_wrapped_arguments_are_a_copy_that_pickles() -> None:
    inner = tool_use_agent()
    wrapped = focusing(inner, retriever="local", keep="bid")
    assert wrapped.agent_args is not inner
    assert wrapped.agent_name == f"focusing-local__{inner.agent_name}"
    assert pickle.loads(pickle.dumps(wrapped)).keep == "bid"
