"""Deterministic shortening of a tree without choosing by the goal: named passes over one draft."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from focusagent.axtree.draft import Draft
from focusagent.axtree.passes import LOSSY, PASSES
from focusagent.axtree.ranges import LineRanges
from focusagent.axtree.tree import AxTree

DEFAULT: tuple[str, ...] = tuple(name for name in PASSES if name not in LOSSY)
"""Every pass that lost no target, context or answer on real steps (experiments/simplify_passes.py measures each)."""


@dataclass(frozen=True)
class Simplified:
    """`original` maps a line number of `tree` to that line's number in the input; `dropped` counts in the input.

    A line that belongs to the line above it is part of that one in `tree`, and in `dropped`."""

    tree: AxTree
    original: dict[int, int]
    dropped: LineRanges

    def to_original(self, ranges: LineRanges) -> LineRanges:
        return LineRanges.of_numbers(self.original[number] for number in ranges.clip(len(self.tree.lines)))

    def texts(self) -> dict[int, str]:
        """Original line number -> simplified text."""
        return {number: line.text for number, line in zip(self.original.values(), self.tree.lines, strict=True)}


def simplify(tree: AxTree, passes: Iterable[str] = DEFAULT) -> Simplified:
    """Run the named passes in order. The root line is always left. Raises KeyError for an unknown pass."""
    draft = Draft(tree)
    for name in passes:
        PASSES[name](draft)
    original = dict(enumerate((line.number for line in draft.alive()), 1))
    return Simplified(draft.finish(), original, draft.dropped)
