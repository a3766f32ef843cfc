"""CPU time of `local` on recorded pages: one of about 10,000 characters, the longest, and the first half of that.

python experiments/local_speed.py STEPS...
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from statistics import median

from focusagent.coverage.steps import read_steps
from focusagent.focuser import Focuser
from focusagent.models.tokens import count_tokens
from focusagent.retrieval.local.retriever import Local

RUNS = 5


def seconds(axtree: str, goal: str) -> float:
    """The median time to simplify, choose and prune, with a retriever that has seen no page."""
    taken = []
    for _ in range(RUNS):
        focuser = Focuser(Local(), skip_below=0)
        started = time.process_time()
        focuser.focus(axtree, goal)
        taken.append(time.process_time() - started)
    return median(taken)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("steps", nargs="+", type=Path)
    steps = [step for path in parser.parse_args().steps for step in read_steps(path)]
    usual = min(steps, key=lambda step: abs(len(step.axtree) - 10_000))
    longest = max(steps, key=lambda step: len(step.axtree))
    lines = longest.axtree.splitlines()
    half = "\n".join(lines[: len(lines) // 2])
    print("characters | tokens | lines | ms\n--- | --- | --- | ---")
    for goal, axtree in ((usual.goal, usual.axtree), (longest.goal, half), (longest.goal, longest.axtree)):
        row = (len(axtree), count_tokens(axtree), axtree.count("\n") + 1, round(seconds(axtree, goal) * 1_000))
        print(" | ".join(map(str, row)))


if __name__ == "__main__":
    main()
