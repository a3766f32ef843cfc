"""Every way a provider fails: the agent's step goes on, and both the figures and the page of the step say why."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from agentlab.llm.chat_api import OpenAIModelArgs

from focusagent import DefenseFocusAgentArgs, FocusAgentArgs

PAGE = "RootWebArea 'Assets', focused\n" + "\n".join(f"\t[a{i}] button 'Order P{i}'" for i in range(10, 110))
ACT = "<think>go on</think><action>click('a12')</action>"
FAILURES = {
    "rate_limited": lambda s: s.status(429, "slow down"),
    "server_error": lambda s: s.status(502, "bad gateway"),
    "connection": lambda s: s.dropped(),
    "timeout": lambda s: s.slow(0.6),
    "empty_answer": lambda s: s.lacking("choices"),
    "auth": lambda s: s.status(401, "bad key"),
    "refused": lambda s: s.status(400, "jailbreak", "content_filter"),
    "bad_request": lambda s: s.status(400, "wrong"),
    "context_length": lambda s: s.status(400, "maximum context length is 100 tokens", "context_length_exceeded"),
    "unreadable": lambda s: s.ok("The form matters."),
    "nothing_valid": lambda s: s.ok("<answer>[(900, 950)]</answer>"),
}


@pytest.mark.parametrize("args_class", [FocusAgentArgs, DefenseFocusAgentArgs])
@pytest.mark.parametrize("reason", FAILURES)
def test_a_failing_retriever_ends_no_episode(
    llm_server: Any, observation: Any, args_class: type[FocusAgentArgs], reason: str
) -> None:
    failing = FAILURES[reason](llm_server)
    llm_server.answer = ACT
    model = OpenAIModelArgs("gpt-4.1-mini", max_total_tokens=100_000, max_new_tokens=500)
    agent = args_class(model, retriever_kwargs={"timeout": 0.3}, simplify=False).make_agent()
    llm_server.then(*[failing] * _requests(reason))
    action, info = agent.get_action(observation(PAGE))
    assert action == "click('a12')"
    assert info.stats["retriever_fallback"] == 1
    assert info.extra_info["focusagent"]["fallback"] == reason
    assert reason in info.html_page
    shown = info.extra_info["focusagent"]["pruned_axtree"]
    assert ("Order P42" in shown) == (args_class is FocusAgentArgs), "benign agents fail open, defence agents closed"
    assert "[a42] button" in shown


def _requests(reason: str) -> int:
    """How many requests the retriever makes before it gives up."""
    if reason in ("unreadable", "nothing_valid"):
        return 2
    if reason == "context_length":
        return 7
    return 4 if reason in ("rate_limited", "server_error", "connection", "timeout", "empty_answer") else 1


def prune(file: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable,
        "-c",
        "from focusagent.cli import main; main()",
        "prune",
        str(file),
        "--goal",
        "order P42",
    ]
    arguments = [*command, "--retriever", "llm", "--json", *options]
    return subprocess.run(arguments, capture_output=True, text=True, timeout=120)


@pytest.fixture
def page_file(tmp_path: Path) -> Path:
    file = tmp_path / "page.txt"
    file.write_text(PAGE)
    return file


def test_the_command_line_takes_key_and_address_from_the_environment(llm_server: Any, page_file: Path) -> None:
    llm_server.answer = "<answer>[(34, 34)]</answer>"
    run = prune(page_file, "--model", "gpt-4.1-mini", "--no-simplify")
    assert run.returncode == 0, run.stderr
    result = json.loads(run.stdout)
    assert (result["ranges"], result["fallback"]) == ([[34, 34]], None)
    llm_server.always = llm_server.status(401, "bad key")
    failed = json.loads(prune(page_file, "--model", "claude-sonnet-4-5").stdout)
    assert (failed["fallback"], failed["text"]) == ("auth", PAGE)


@pytest.mark.parametrize(("model", "said"), [("gpt-4.1-mini", "OPENAI_API_KEY"), ("no-such-model", "unknown model")])
def test_what_can_never_work_is_one_line(no_keys: None, page_file: Path, model: str, said: str) -> None:
    run = prune(page_file, "--model", model)
    assert run.returncode == 1
    assert said in run.stderr
    assert len(run.stderr.strip().splitlines()) == 1
