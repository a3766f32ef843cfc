"""How long diff and detector take by the length of the page and the kind of change (CPU time, median of repeats).

python experiments/signals_speed.py [--repeats 5]
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable
from functools import partial

from focusagent.axtree import AxTree
from focusagent.axtree.diff import diff
from focusagent.signals import Snapshot, detect_signals

SIZES = (2_000, 20_000)


def page(n: int) -> list[str]:
    """A long table: rows with buttons, prices that repeat, texts without bids."""
    lines = ["RootWebArea 'Assets', url='https://a.example/assets'"]
    for i in range(1, n):
        row = (f"\t[a{i}] row 'Asset P{i}'", f"\t\t[b{i}] button 'Order', clickable", f"\t\tStaticText '${i % 97}.00'")
        lines.append(row[i % 3])
    return lines


def edited(lines: list[str], share: float, seed: int = 0) -> list[str]:
    """A third of the edits each: text replaced, line removed, line added."""
    draw = random.Random(seed)
    out = [lines[0]]
    for line in lines[1:]:
        edit = draw.random()
        if edit < share / 3:
            out.append(line.replace("'", "'new "))
        elif edit >= 2 * share / 3:
            out.append(line)
        if 2 * share / 3 <= edit < share:
            out.append(f"\t[z{draw.randrange(10**9)}] link 'Added'")
    return out


CHANGES: dict[str, Callable[[list[str]], list[str]]] = {
    "identical": lambda lines: lines,
    "one line": lambda lines: [*lines[:-1], "\t[x1] alert 'Saved'"],
    "1 % edited": lambda lines: edited(lines, 0.01),
    "50 % edited": lambda lines: edited(lines, 0.5),
    "shuffled": lambda lines: [lines[0], *random.Random(0).sample(lines[1:], len(lines) - 1)],
    "every bid new": lambda lines: [line.replace("[", "[n") for line in lines],
    "another page": lambda lines: [line.replace("'", "'other ").replace("[", "[n") for line in lines],
}


def milliseconds(work: Callable[[], object], repeats: int) -> float:
    times = []
    for _ in range(repeats):
        started = time.process_time()
        work()
        times.append(time.process_time() - started)
    return 1000 * statistics.median(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    repeats = parser.parse_args().repeats
    print(f"{'lines':>7}  {'change':14} {'diff ms':>9} {'detector ms':>12}   (the detector includes the diff)")
    for n in SIZES:
        for name, change in CHANGES.items():
            old, new = (AxTree.parse("\n".join(lines)) for lines in (page(n), change(page(n))))
            compared = milliseconds(partial(diff, old, new), repeats)
            detected = milliseconds(partial(detect_signals, Snapshot(old), Snapshot(new), "click('b1')"), repeats)
            print(f"{n:7}  {name:14} {compared:9.1f} {detected:12.1f}")


if __name__ == "__main__":
    main()
