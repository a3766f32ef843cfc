"""How long parsing, simplifying and pruning take: milliseconds, growth with the lines, and against a naive version.

python experiments/axtree_bench.py [--lines 20000] [--repeats 7]

CPU time, best of the repeats. The naive version looks for parents, dropped lines and gaps by scanning.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

from focusagent.axtree import AxTree, LineRanges, prune, simplify

NAIVE_LINES = 2_000


def page(lines: int) -> str:
    rows = [
        "\t\t[r{i}] row ''",
        "\t\t\t[c{i}] cell 'Asset P10{i}'",
        "\t\t\t\tStaticText 'Asset P10{i}'",
        "\t\t\t[l{i}] link 'Open record {i}', url='https://assets.test/record.do?id={i}&view=full'",
        "\t\t\t[b{i}] button 'Edit', live='polite', relevant='additions text'",
        "\t\t\t[g{i}] generic ''",
    ]
    body = (rows[i % len(rows)].format(i=i) for i in range(lines - 2))
    return "\n".join(["RootWebArea 'Assets', url='https://assets.test/'", "\t[m] main 'Assets'", *body])


def road(text: str) -> str:
    """Parse, simplify, choose every third line, map back, prune."""
    tree = AxTree.parse(text)
    short = simplify(tree)
    chosen = LineRanges.of_numbers(range(1, len(short.tree) + 1, 3))
    return prune(tree, short.to_original(chosen), texts=short.texts(), dropped=short.dropped).text


def naive_parents(text: str) -> int:
    lines = text.split("\n")
    depths = [len(line) - len(line.lstrip()) for line in lines]
    return sum(next((i for i in range(n - 1, -1, -1) if depths[i] < depths[n]), 0) for n in range(len(lines)))


def parents(text: str) -> int:
    tree = AxTree.parse(text)
    return sum(max(tree.parent(line.number) - 1, 0) for line in tree.lines)


def best(task: Callable[[], object], repeats: int) -> float:
    """Milliseconds."""
    times = []
    for _ in range(repeats):
        started = time.process_time()
        task()
        times.append(time.process_time() - started)
    return 1_000 * min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--lines", type=int, default=20_000)
    parser.add_argument("--repeats", type=int, default=7)
    options = parser.parse_args()
    text, double, short = page(options.lines), page(2 * options.lines), page(NAIVE_LINES)
    tree = AxTree.parse(text)
    once = best(lambda: road(text), options.repeats)
    print(f"{options.lines} lines, {len(text)} characters")
    print(f"parse                 {best(lambda: AxTree.parse(text), options.repeats):8.1f} ms")
    print(f"simplify              {best(lambda: simplify(AxTree(tree.lines)), options.repeats):8.1f} ms")
    print(f"parse, simplify, prune{once:8.1f} ms")
    print(f"twice the lines       {best(lambda: road(double), options.repeats) / once:8.2f} times")
    ratio = best(lambda: naive_parents(short), 3) / best(lambda: parents(short), 3)
    print(f"naive parents         {ratio:8.2f} times the time of ours at {NAIVE_LINES} lines")


if __name__ == "__main__":
    main()
