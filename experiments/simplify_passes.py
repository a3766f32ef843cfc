"""What each simplification pass saves and loses alone: tokens, coverage, coverage in context, answers.

python experiments/simplify_passes.py STEPS...
"""

from __future__ import annotations

import argparse
from pathlib import Path

from focusagent.axtree import DEFAULT, AxTree, LineRanges, prune, simplify
from focusagent.axtree.passes import PASSES
from focusagent.coverage.metric import Survivors, covers_answer, covers_context, covers_needed, covers_target
from focusagent.coverage.step import Step
from focusagent.coverage.steps import read_steps
from focusagent.models.tokens import count_tokens


def losses(step: Step, survivors: Survivors) -> tuple[bool, bool, bool]:
    """Whether the step's target (or needed lines), its context, its answer is lost."""
    target = bool(step.target_id) and not covers_target(survivors, step.target_id)
    needed = bool(step.needed) and not covers_needed(survivors, step.needed)
    context = bool(step.target_id) and not covers_context(survivors, step.target_id)
    answer = bool(step.target_texts) and not covers_answer(survivors, step.target_texts)
    return target or needed, context, answer


def row(name: str, passes: tuple[str, ...], steps: list[Step]) -> str:
    saved, lost = [], [0, 0, 0]
    for step in steps:
        page = AxTree.parse(step.axtree)
        shown = simplify(page, passes)
        pruned = prune(page, LineRanges.of_numbers(shown.texts()), texts=shown.texts(), dropped=shown.dropped)
        saved.append(1 - count_tokens(pruned.text) / count_tokens(step.axtree))
        lost = [total + new for total, new in zip(lost, losses(step, Survivors(page, shown.texts())), strict=True)]
    return f"| {name} | {100 * sum(saved) / len(saved):.1f} % | {' | '.join(map(str, lost))} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("steps", nargs="+", type=Path)
    steps = [step for path in parser.parse_args().steps for step in read_steps(path)]
    print(f"{len(steps)} steps\n\n| pass | tokens removed (mean) | targets lost | contexts lost | answers lost |")
    print("| --- | --- | --- | --- | --- |")
    for name in PASSES:
        print(row(name, (name,), steps), flush=True)
    print(row("default", DEFAULT, steps))
    print(row("every pass", tuple(PASSES), steps))


if __name__ == "__main__":
    main()
