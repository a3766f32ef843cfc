"""The xray page of a step whose page was read in two parts, as HTML and as a picture.

    python experiments/xray_page.py [--out docs]

One step of a LongPage task in a browser. A stand-in for the retriever's model names the lines that share a long word
with the goal; it is here to fill the page, not to be judged."""

from __future__ import annotations

import argparse
import re
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import focusagent  # noqa: F401  settles the environment before AgentLab is imported

TASK = "longpage.forum.reply_comment.8k"
NAME = "xray-two-parts"
WIDTH, HEIGHT = 1_200, 1_500


@dataclass
class WordMatchArgs:
    """Limits as in AgentLab's Args, small enough that the page takes two parts."""

    max_total_tokens: int = 8_500
    max_new_tokens: int = 500
    max_input_tokens: int | None = None
    model_name: str = "word-match"

    def make_model(self) -> WordMatch:
        return WordMatch()

    def prepare_server(self) -> None:
        """Nothing to start."""

    def close_server(self) -> None:
        """Nothing to stop."""


class WordMatch:
    def __call__(self, messages: Iterable[Mapping[str, Any]]) -> dict[str, str]:
        prompt = list(messages)[-1]["content"]
        goal = prompt.split("# How to choose")[0]
        words = set(re.findall(r"\w{6,}", goal.casefold()))
        lines = re.findall(r"^(\d+): (.*)$", prompt, re.MULTILINE)
        hits = [int(number) for number, text in lines if words & set(re.findall(r"\w+", text.casefold()))]
        pairs = [(max(1, hit - 2), hit + 6) for hit in hits]
        return {"role": "assistant", "content": f"<think>Lines with words of the goal.</think><answer>{pairs}</answer>"}


def html_of_a_step(folder: Path) -> str:
    from agentlab.experiments.loop import ExpArgs, ExpResult

    from focusagent import FocusAgentArgs
    from focusagent.longpage import TaskName, make_benchmark
    from focusagent.scripted.model import ScriptedModelArgs

    benchmark = make_benchmark("one", [TaskName.parse(TASK)])
    agent = FocusAgentArgs(ScriptedModelArgs(), retriever_model_args=WordMatchArgs())
    agent.set_benchmark(benchmark, demo_mode=False)
    (env_args,) = benchmark.env_args_list
    env_args.max_steps = 1
    run = ExpArgs(agent_args=agent, env_args=env_args)
    run.prepare(folder)
    run.run()
    steps = ExpResult(run.exp_dir).steps_info
    return str(next(step.agent_info["html_page"] for step in steps if step.action))


def photograph(page: Path, picture: Path) -> None:
    """In BrowserGym's own Playwright, of which a process can have only one."""
    from browsergym.core import _get_global_playwright

    browser = _get_global_playwright().chromium.launch()
    try:
        view = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        view.goto(page.as_uri())
        view.screenshot(path=str(picture))
    finally:
        browser.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("docs"))
    out: Path = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / f"{NAME}.html"
        page.write_text(html_of_a_step(Path(folder)), encoding="utf-8")
        photograph(page, out / f"{NAME}.png")
    print(f"wrote {out / NAME}.png")


if __name__ == "__main__":
    main()
