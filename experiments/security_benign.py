"""How often the rules flag real pages that nobody attacked, and what they flag.

    python experiments/security_benign.py STEPS.jsonl.gz...
    python experiments/security_benign.py --packages

Each line of a file is a step with `goal` and `axtree`, and `target_id` where an element was acted on. Prints the share
of steps with any flag, flagged lines for reading, targets that lost their bid or role, and the time a page takes.
With `--packages` the pages are paragraphs of the descriptions that the installed packages carry, one at a time."""

from __future__ import annotations

import argparse
import gzip
import json
import re
import statistics
import time
from collections import Counter
from importlib.metadata import Distribution, distributions
from pathlib import Path

from focusagent.axtree import AxTree, LineRanges
from focusagent.security.detect import detect
from focusagent.security.sanitise import sanitise


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("steps", nargs="*", type=Path)
    parser.add_argument("--packages", action="store_true", help="judge the descriptions of installed packages")
    options = parser.parse_args()
    for path in options.steps:
        report(path)
    if options.packages:
        report_packages()


def report_packages() -> None:
    packages = paragraphs = 0
    shown: list[str] = []
    for distribution in sorted(distributions(), key=lambda one: str(one.metadata["Name"])):
        name, text = str(distribution.metadata["Name"]), description_of(distribution)
        parts = [part for part in re.split(r"\n\s*\n", text) if part.strip()]
        packages += bool(parts)
        for part in parts:
            paragraphs += 1
            tree = AxTree.parse(f"RootWebArea {name!r}\n\t[1] paragraph ''\n\t\tStaticText {' '.join(part.split())!r}")
            if found := detect(tree, f"Find out how to install {name}"):
                why = dict.fromkeys(reason for number in found.flagged for reason in found.reasons[number])
                shown.append(f"{name}: {' '.join(part.split())[:160]}  <- {'; '.join(why)}")
    share = 100 * len(shown) / paragraphs if paragraphs else 0.0
    print(f"descriptions of {packages} packages: {len(shown)} of {paragraphs} paragraphs flagged ({share:.2f} %)")
    for line in shown:
        print(f"  {line}")


def description_of(distribution: Distribution) -> str:
    """The README that a package carries in its metadata; "" where it carries none."""
    body = distribution.metadata.get_payload()  # type: ignore[attr-defined]
    return str(body or distribution.metadata["Description"] or "")


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
