"""LongPage's pages and real pages side by side: what lines there are, how deep, how long their names, how often twice.

    python experiments/longpage_calibration.py REAL.jsonl[.gz] PAGES.jsonl

REAL holds recorded steps (one JSON object a line with `axtree`), PAGES comes from `longpage_pages.py`. Both are brought
to the same printing first: no visible or clickable tags, no InlineTextBox, no text that repeats its parent's name. Each
page counts once; size classes are those that the real steps reach.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import mean

from focusagent.axtree import AxTree, simplify
from focusagent.axtree.properties import drop_properties
from focusagent.models.tokens import count_tokens

TAGS = frozenset({"visible", "clickable"})
BORDER = 10_000
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("real", type=Path)
    parser.add_argument("pages", type=Path)
    args = parser.parse_args()
    groups = []
    for path in (args.real, args.pages):
        trees = read_trees(path)
        sizes = [count_tokens(tree.text) for tree in trees]
        groups.append([tree for tree, size in zip(trees, sizes, strict=True) if size < BORDER])
        groups.append([tree for tree, size in zip(trees, sizes, strict=True) if BORDER <= size <= 4 * BORDER])
    order = [groups[0], groups[2], groups[1], groups[3]]
    print("| measure | real, under 10k | LongPage, under 10k | real, 10k to 40k | LongPage, 10k to 40k |")
    print("|---|---:|---:|---:|---:|")
    print("| pages | " + " | ".join(str(len(trees)) for trees in order) + " |")
    for name, measure in MEASURES.items():
        print(row(name, measure, order))


if __name__ == "__main__":
    main()
