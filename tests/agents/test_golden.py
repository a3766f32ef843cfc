"""What every name that reproduces a paper does, frozen: the observation its backbone is shown, and each request that it
sends, with model, temperature, limits and the full prompt, at the second step of an episode on one page.

A change of any of these files is a change of what a paper's name means. FOCUSAGENT_WRITE_GOLDEN=1 writes them anew, to
be read before they are committed."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
from says import observation

from focusagent.agents.named import AGENTS, make_agent
from focusagent.studies.backbones import model_args

GOLDEN = Path(__file__).parent / "golden"
FENCE = re.compile(r"=== page [0-9a-f]{16} ===")
NAMES = [*(name for name, spec in AGENTS.items() if spec.paper), "sdo"]
PAGE = """RootWebArea 'Asset list', focused
	[a1] banner 'Company', visible
		[a2] link 'Home', clickable, visible
		[a3] link 'Assets', clickable, visible
		StaticText 'Signed in as Ann'
	[a4] main 'Assets', visible
		[a5] heading 'Assets', visible
		StaticText 'Two assets are free <soon> to order'
		[a6] row 'A-1 laptop', visible
			[a7] gridcell 'A-1', visible
			[a8] button 'Order', clickable, visible
		[a9] row 'A-2 tablet', visible
			[a10] gridcell 'A-2', visible
			[a11] button 'Order', clickable, visible"""
ROW = "\t\t[b{0}] row 'B-{0} {1}', visible\n\t\t\t[c{0}] button 'Order item number {0}', clickable, visible"
KINDS = ("laptop", "tablet", "phone", "cable", "printer")
LONG = "\n".join([PAGE, *(ROW.format(number, KINDS[number % 5]) for number in range(70))])  # over ten chunks of 200


def answer(prompt: str) -> str:
    """What each of the models says, told by its own instructions."""
    if "FINAL ANSWER" in prompt:
        return "FINAL ANSWER: NO"
    if "<elements>" in prompt:
        return "<elements>\n9 [a6]: the row of the laptop\n11 [a8]: orders it\n</elements>"
    if "You choose the lines that the agent gets to see" in prompt:
        return "<think>The laptop's row.</think>\n<answer>\n[(6, 7), (9, 11)]\n</answer>"
    return "<think>\nThe laptop is in the list.\n</think>\n<action>\nhover('a8')\n</action>"


@pytest.mark.parametrize("name", NAMES)
def test_a_papers_name_shows_and_sends_what_its_file_says(llm_server: Any, name: str) -> None:
    if name == "generic-guard":
        pytest.importorskip("doomarena")
    llm_server.answer = answer
    page = LONG if name.startswith(("bm25-", "embedding-")) else PAGE
    agent = make_agent(name, model_args("gpt-4.1"), model_args("gpt-4.1-mini")).make_agent()
    agent.get_action(observation(page))
    llm_server.received.clear()
    _, info = agent.get_action(observation(page.replace("Ann", "Ann B."), last_action="hover('a8')"))
    shown = info.extra_info["focusagent"]["pruned_axtree"]
    said = "\n".join([f"== {name}: the observation shown ==", shown, *map(_request, llm_server.received), ""])
    said = FENCE.sub("=== page, a new number for each agent ===", said)
    file = GOLDEN / f"{name}.txt"
    if os.environ.get("FOCUSAGENT_WRITE_GOLDEN"):
        file.parent.mkdir(exist_ok=True)
        file.write_text(said, encoding="utf-8")
    assert said == file.read_text(encoding="utf-8")


def _request(received: Any) -> str:
    """One request: where it went, its settings, then each message or text as it was sent."""
    body = dict(received.body)
    parts = [(message["role"], _text(message["content"])) for message in body.pop("messages", [])]
    parts += [("text", text) for text in body.pop("input", [])]
    lines = [f"== POST {received.path} ==", *(f"{key}: {body[key]}" for key in sorted(body))]
    return "\n".join([*lines, *(f"-- {role} --\n{text}" for role, text in parts)])


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "\n".join(part["text"] for part in content)
