"""`local` against goal-blind controls at equal pruning, paired by step, intervals clustered by site or template.

python experiments/compare_controls.py STEPS... [--presets local local-lean]

A control is given, page by page, as many tokens as local kept there. The controls: the page's first lines; its lines
of an interactive role first and then the others, in page order; local's own structure and weights without a goal.
Steps of `focusagent longpage record --answers` count as answers, which all their needed lines must survive for.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from scipy.stats import t

from focusagent.axtree import LineRanges, prune
from focusagent.coverage.measure import Measured, judge
from focusagent.coverage.step import Step
from focusagent.coverage.steps import read_steps
from focusagent.focuser import Focuser
from focusagent.models.tokens import count_tokens
from focusagent.results.statistics import clustered_error
from focusagent.retrieval import Query, Selection
from focusagent.retrieval.controls import INTERACTIVE_ROLES
from focusagent.retrieval.local.retriever import Local


class InOrder:
    """Keeps lines in an order of preference as long as the pruned page, placeholders included, fits."""

    def __init__(self, tokens: int, preferred: Callable[[str], bool]) -> None:
        self.tokens = tokens
        self.preferred = preferred

    def select(self, query: Query) -> Selection:
        lines = sorted(query.tree.lines, key=lambda line: not self.preferred(line.role))
        low, high = 1, len(lines)
        while low < high:
            middle = (low + high + 1) // 2
            ranges = LineRanges.of_numbers(line.number for line in lines[:middle])
            fits = count_tokens(prune(query.tree, ranges).text) <= self.tokens
            low, high = (middle, high) if fits else (low, middle - 1)
        return Selection(LineRanges.of_numbers(line.number for line in lines[:low]))


class Blind:
    """local, which is not told the goal."""

    def __init__(self, tokens: int) -> None:
        self.local = Local(tokens=tokens)

    def select(self, query: Query) -> Selection:
        return self.local.select(Query("", query.tree))


def controls(tokens: int) -> dict[str, InOrder | Blind]:
    return {
        "first lines": InOrder(tokens, lambda role: True),
        "roles first": InOrder(tokens, lambda role: role in INTERACTIVE_ROLES),
        "local without a goal": Blind(tokens),
    }


def measured(step: Step, retriever: InOrder | Blind | Local) -> Measured:
    focused = Focuser(retriever, skip_below=0).focus(step.axtree, step.goal, history=step.history)
    judged = judge(step, focused, simplified=True)
    return replace(judged, answered=judged.covered, covered=None) if step.needed else judged


def paired(ours: Sequence[Measured], theirs: Sequence[Measured], what: str) -> str:
    """Mean difference with its 95 % interval."""
    pairs = [
        (float(getattr(a, what)) - float(getattr(b, what)), a.step.cluster)
        for a, b in zip(ours, theirs, strict=True)
        if getattr(a, what) is not None
    ]
    differences, clusters = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    mean, groups = sum(differences) / len(differences), len(set(clusters))
    reach = clustered_error(differences, clusters) * (t.ppf(0.975, groups - 1) if groups > 1 else math.nan)
    return f"{100 * mean:+.1f} [{100 * (mean - reach):+.1f}, {100 * (mean + reach):+.1f}], n {len(pairs)} in {groups}"


def share(rows: Sequence[Measured], what: str) -> str:
    known = [getattr(row, what) for row in rows if getattr(row, what) is not None]
    return f"{100 * sum(known) / len(known):.1f} %" if known else "-"


def compare(preset: str, steps: Sequence[Step]) -> None:
    ours = [measured(step, Local(preset=preset)) for step in steps]
    budgets = [row.tokens_kept for row in ours]
    print(f"\n### {preset}: pruning {share(ours, 'pruning')}\n")
    print("| | pruning | in context | answers | local better in context | local better in answers |")
    print("| --- | --- | --- | --- | --- | --- |")
    print(f"| {preset} | {share(ours, 'pruning')} | {share(ours, 'in_context')} | {share(ours, 'answered')} | | |")
    for name in controls(0):
        rows = [measured(step, controls(tokens)[name]) for step, tokens in zip(steps, budgets, strict=True)]
        cells = [share(rows, what) for what in ("pruning", "in_context", "answered")]
        print(
            f"| {name} | {' | '.join(cells)} | {paired(ours, rows, 'in_context')} | {paired(ours, rows, 'answered')} |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("steps", nargs="+", type=Path)
    parser.add_argument("--presets", nargs="+", default=["local", "local-lean"])
    options = parser.parse_args()
    steps = [step for path in options.steps for step in read_steps(path)]
    for preset in options.presets:
        compare(preset, steps)


if __name__ == "__main__":
    main()
