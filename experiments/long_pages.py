"""Pages far beyond the retriever's context: own CPU, prompts against the budget, and whether the needed line is found.

    python experiments/long_pages.py [--context 16000] [--completion 1000] [--lines 2000 4000 8000 20200 40400]

The model is a stand-in that reads each prompt and names the line with the needle, so all CPU is our own. "ratio" is
that CPU over the CPU of numbering the page and counting its tokens once, as for a model of endless context."""

from __future__ import annotations

import argparse
import random
import re
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from focusagent.axtree import AxTree
from focusagent.models.tokens import count_tokens
from focusagent.retrieval import Query
from focusagent.retrieval.llm.retriever import LLMRetriever

NEEDLE = "approve the request of Ada"
WORDS = "status open closed incident priority server laptop request user group assigned created updated record".split()


@dataclass
class FinderArgs:
    """Limits as in AgentLab's Args; the model finds the needle and nothing else."""

    max_total_tokens: int
    max_new_tokens: int
    max_input_tokens: int | None = None
    model_name: str = "finder"

    def make_model(self) -> Finder:
        return Finder()


class Finder:
    def __init__(self) -> None:
        self.seconds = 0.0
        self.prompts: list[str] = []

    def __call__(self, messages: Iterable[Mapping[str, Any]]) -> dict[str, str]:
        started = time.process_time()
        prompt = "\n".join(message["content"] for message in messages)
        self.prompts.append(prompt)
        found = re.search(rf"^(\d+): .*{NEEDLE}", prompt, re.MULTILINE)
        answer = f"[({found[1]}, {found[1]})]" if found else "[]"
        self.seconds += time.process_time() - started
        return {"role": "assistant", "content": f"<answer>{answer}</answer>"}


def page(lines: int, needle: int, seed: int = 0) -> str:
    """A page of rows and cells with the needle at line `needle`."""
    draw = random.Random(seed)
    rows = ["RootWebArea 'Requests', focused"]
    for number in range(2, lines + 1):
        name = NEEDLE if number == needle else " ".join(draw.choices(WORDS, k=6))
        role, depth = ("row", 2) if number % 8 == 2 else ("gridcell", 3)
        rows.append("\t" * depth + f"[a{number}] {role} '{name}', clickable, visible")
    return "\n".join(rows)


def naive_seconds(text: str) -> float:
    started = time.process_time()
    count_tokens("\n".join(f"{line.number}: {line.text}" for line in AxTree.parse(text).lines))
    return time.process_time() - started


def measure(lines: int, context: int, completion: int) -> str:
    text = page(lines, needle=lines * 5 // 6)
    retriever = LLMRetriever(FinderArgs(context, completion), max_calls=10_000)
    finder: Finder = retriever.client.transport.model  # type: ignore[attr-defined]
    started = time.process_time()
    selection = retriever.select(Query("Approve the request of Ada", AxTree.parse(text)))
    own = time.process_time() - started - finder.seconds
    longest = max(map(count_tokens, finder.prompts))
    found = selection.ranges.pairs == ((lines * 5 // 6,) * 2,)
    return (
        f"{count_tokens(text):>9,} {lines:>7,} {len(selection.calls):>6} {longest:>7,} / {retriever.budget:<7,}"
        f" {'yes' if found else 'NO':>5} {own:>8.2f} {own / naive_seconds(text):>6.1f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--context", type=int, default=16_000)
    parser.add_argument("--completion", type=int, default=1_000)
    parser.add_argument("--lines", type=int, nargs="+", default=[2_000, 4_000, 8_000, 20_200, 40_400])
    arguments = parser.parse_args()
    count_tokens("load the encoding")
    print("   tokens   lines  calls  longest / budget found   own s  ratio")
    for lines in arguments.lines:
        print(measure(lines, arguments.context, arguments.completion), flush=True)


if __name__ == "__main__":
    main()
