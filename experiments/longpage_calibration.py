"""LongPage beside real pages: what lines there are, and what goal-blind and simple retrievers leave of what was needed.

    focusagent longpage record --out STEPS.jsonl --target --tasks 'longpage.*.[18]k'    (and '*.25k')
    python experiments/longpage_pages.py --out PAGES.jsonl
    python experiments/longpage_calibration.py REAL.jsonl[.gz] PAGES.jsonl STEPS.jsonl [STEPS.jsonl ...]

REAL holds recorded steps (one JSON object a line with `axtree`, `goal`, `target_id`, `task_id`). For the first table
pages are brought to the same printing (no visible or clickable tags, no InlineTextBox, no text that repeats its
parent's name) and counted once. The second counts steps, by the size of their page; its intervals are 95 %, clustered
by task template. Size classes are those that the real steps reach; the last repeats the long steps without the real
pages that are longer than LongPage's at 25k.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import mean

from focusagent.axtree import AxTree, simplify
from focusagent.axtree.properties import drop_properties
from focusagent.coverage.contenders import contender
from focusagent.coverage.measure import Measured, measure
from focusagent.coverage.step import Step
from focusagent.coverage.steps import read_steps
from focusagent.models.tokens import count_tokens
from focusagent.results.statistics import Rate, success_rate

TAGS = frozenset({"visible", "clickable"})
BORDER = 10_000
CLASSES = {"under 10k": (0, BORDER), "over 10k": (BORDER, 10**9), "10k to 40k": (BORDER, 4 * BORDER)}
RETRIEVERS = ("bm25-200", "first-5k", "roles")
ALIKE = 0.10
_SIZE = re.compile(r"\.\d+k(\.events)?$")
ROLES = (
    "StaticText link button listitem list cell row table heading paragraph image textbox combobox option"
    " checkbox radio LabelText article navigation"
).split()


def normalised(axtree: str) -> AxTree:
    text = "\n".join(drop_properties(line, TAGS) for line in axtree.split("\n"))
    return simplify(AxTree.parse(text), ("inline_text_boxes", "repeated_text")).tree


def read_trees(path: Path) -> list[AxTree]:
    """The distinct pages of a file."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as file:
        return [normalised(tree) for tree in dict.fromkeys(json.loads(line)["axtree"] for line in file)]


def share(role: str) -> Callable[[AxTree], float]:
    return lambda tree: sum(line.role == role for line in tree.lines) / len(tree)


def named_share_duplicate(tree: AxTree) -> float:
    """Share of the named lines with a bid whose role and name another one has too."""
    named = [(line.role, line.name) for line in tree.lines if line.bid and line.name.strip()]
    uses = Counter(named)
    return sum(uses[pair] > 1 for pair in named) / len(named) if named else 0.0


def name_length(tree: AxTree) -> float:
    names = [len(line.name) for line in tree.lines if line.name.strip()]
    return mean(names) if names else 0.0


MEASURES: dict[str, Callable[[AxTree], float]] = {
    "lines": lambda tree: float(len(tree)),
    "tokens a line": lambda tree: count_tokens(tree.text) / len(tree),
    "depth, mean": lambda tree: mean(line.depth for line in tree.lines),
    "depth, largest": lambda tree: float(max(line.depth for line in tree.lines)),
    "name length, characters": name_length,
    "duplicate names": named_share_duplicate,
    "bids a line": lambda tree: sum(bool(line.bid) for line in tree.lines) / len(tree),
    "lines with url": lambda tree: sum("url=" in line.text for line in tree.lines) / len(tree),
    **{f"share of {role}": share(role) for role in ROLES},
}


def row(name: str, measure: Callable[[AxTree], float], groups: Iterable[list[AxTree]]) -> str:
    cells = (f"{mean(map(measure, trees)):.3g}" if trees else "n/a" for trees in groups)
    return f"| {name} | " + " | ".join(cells) + " |"


def print_pages(real: Path, pages: Path) -> None:
    groups = []
    for path in (real, pages):
        trees = read_trees(path)
        sizes = [count_tokens(tree.text) for tree in trees]
        groups.append([tree for tree, size in zip(trees, sizes, strict=True) if size < BORDER])
        groups.append([tree for tree, size in zip(trees, sizes, strict=True) if BORDER <= size <= 4 * BORDER])
    order = [groups[0], groups[2], groups[1], groups[3]]
    print("| measure | real, under 10k | LongPage, under 10k | real, 10k to 40k | LongPage, 10k to 40k |")
    print("|---|---:|---:|---:|---:|")
    print("| pages | " + " | ".join(str(len(trees)) for trees in order) + " |")
    for name, function in MEASURES.items():
        print(row(name, function, order))


def print_coverage(real: Sequence[Step], longpage: Sequence[Step]) -> None:
    """A row a retriever, size class and measure; the last column says whether the shares lie within ten points."""
    print(f"| steps | retriever | measure | real ({len(real)} steps) | LongPage ({len(longpage)} steps) | points | |")
    print("|---|---|---|---:|---:|---:|---|")
    for name in RETRIEVERS:
        theirs, ours = (measure(steps, contender(name)) for steps in (real, longpage))
        for title in CLASSES:
            for kind in ("covered", "in_context"):
                rates = [rate(part, kind, title) for part in (theirs, ours)]
                apart = rates[1].mean - rates[0].mean
                cells = [title, name, kind.replace("_", " "), *map(shown, rates), f"{100 * apart:+.0f}"]
                print("| " + " | ".join([*cells, "" if abs(apart) <= ALIKE else "apart"]) + " |")


def rate(measured: Iterable[Measured], kind: str, title: str) -> Rate:
    low, high = CLASSES[title]
    told = [one for one in measured if low < one.tokens_full <= high]
    return success_rate([float(getattr(one, kind)) for one in told], [_SIZE.sub("", one.step.template) for one in told])


def shown(one: Rate) -> str:
    return f"{one.mean:.2f} [{one.low:.2f}, {one.high:.2f}] of {one.n}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("real", type=Path)
    parser.add_argument("pages", type=Path)
    parser.add_argument("steps", type=Path, nargs="+")
    args = parser.parse_args()
    print_pages(args.real, args.pages)
    print()
    print_coverage(read_steps(args.real), [step for path in args.steps for step in read_steps(path)])


if __name__ == "__main__":
    main()
