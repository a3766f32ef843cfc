"""Our own processor time on a step, over the consecutive steps of LongPage episodes: local and the defence.

python experiments/step_speed.py [--size 25k] [--rounds 3]

To compare two versions, run it in both checkouts one after the other on the same machine; only ratios mean anything."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass

from focusagent.focuser import Focuser, make_defence
from focusagent.longpage import tasks_of
from focusagent.longpage.benchmarks import max_steps
from focusagent.longpage.play import play
from focusagent.models.tokens import count_tokens
from focusagent.retrieval import make_retriever


@dataclass(frozen=True)
class Page:
    """One observation of an episode."""

    episode: str
    goal: str
    text: str


def pages(size: str) -> list[Page]:
    """Observations of one task a site, played by its policy."""
    found: dict[str, list[Page]] = {}
    for name in tasks_of([size]):  # type: ignore[list-item]
        if name.site not in found and not name.events:
            steps = play(name, 0, max_steps(name))
            found[name.site] = [Page(str(name), step.goal, step.axtree) for step in steps]
    return [page for episode in found.values() for page in episode]


def seconds(recorded: Sequence[Page], defended: bool) -> float:
    """Of all steps, each episode with a focuser of its own as an agent has it."""
    total, episode, focuser = 0.0, "", None
    for page in recorded:
        if page.episode != episode or focuser is None:
            defence = make_defence() if defended else None
            episode, focuser = page.episode, Focuser(make_retriever("local"), skip_below=0, defence=defence)
        started = time.process_time()
        focuser.focus(page.text, page.goal)
        total += time.process_time() - started
    return total


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--size", default="25k")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    recorded = pages(given.size)
    tokens = sum(count_tokens(page.text) for page in recorded) / len(recorded)
    print(f"{len(recorded)} steps, {tokens:,.0f} tokens a page\nagent | ms a step\n--- | ---")
    for name, defended in (("focus-local", False), ("defense-focus-local", True)):
        best = min(seconds(recorded, defended) for _ in range(given.rounds))
        print(f"{name} | {best / len(recorded) * 1_000:.0f}")


if __name__ == "__main__":
    main()
