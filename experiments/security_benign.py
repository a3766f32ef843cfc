"""How often the rules flag real pages that nobody attacked, and what they flag.

    python experiments/security_benign.py STEPS.jsonl.gz...

Each line of a file is a step with `goal` and `axtree`, and `target_id` where an element was acted on. Prints the share
of steps with any flag, flagged lines for reading, targets that lost their bid or role, and the time a page takes."""

from __future__ import annotations

import argparse
import gzip
import json
import statistics
import time
from collections import Counter
from pathlib import Path

from focusagent.axtree import AxTree, LineRanges
from focusagent.security.detect import detect
from focusagent.security.sanitise import sanitise


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("steps", nargs="+", type=Path)
    for path in parser.parse_args().steps:
        report(path)


def report(path: Path) -> None:
    steps = flagged_steps = lines = lost = 0
    seconds, shown = [], Counter[str]()
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as file:
        for step in map(json.loads, file):
            tree = AxTree.parse(step["axtree"])
            started = time.perf_counter()
            found = detect(tree, step["goal"])
            seconds.append(time.perf_counter() - started)
            steps, lines, flagged_steps = steps + 1, lines + len(tree), flagged_steps + bool(found)
            lost += _lost(tree, found.flagged, str(step.get("target_id") or ""), step["goal"])
            for number in found.flagged:
                shown[f"{tree.line(number).text.strip()[:160]}  <- {'; '.join(found.reasons[number])}"] += 1
    share = 100 * flagged_steps / steps if steps else 0.0
    print(
        f"{path.name}: {flagged_steps} of {steps} steps flagged ({share:.1f} %), {sum(shown.values())} of {lines} lines"
    )
    print(f"  targets without bid or role: {lost}; {1000 * statistics.median(seconds):.1f} ms a page (median)")
    for text, count in shown.most_common():
        print(f"  {count} x {text}")


def _lost(tree: AxTree, flagged: LineRanges, target: str, goal: str) -> bool:
    """Whether sanitising takes bid or role from the line that was acted on."""
    number = tree.by_bid.get(target)
    if number is None:
        return False
    before, text = tree.line(number), sanitise(tree, flagged, goal).texts.get(number)
    after = AxTree.parse(text).line(1) if text is not None else before
    return (after.bid, after.role) != (before.bid, before.role)


if __name__ == "__main__":
    main()
