"""Fit the weights of `local`: score them on templates and sites left out, then fit on all steps and store them.

python experiments/fit_local.py STEPS... [--also STEPS...] [--write]

Figures are of STEPS (real steps and answers); --also adds steps to learn from (LongPage's train split).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path

from focusagent.coverage.contenders import Contender
from focusagent.coverage.fitting import Weights, cross_validated, example, fit, leave_out, site, template
from focusagent.coverage.measure import Measured, measure
from focusagent.coverage.step import Step
from focusagent.coverage.steps import read_steps
from focusagent.coverage.summary import by_group
from focusagent.coverage.tables import to_markdown
from focusagent.retrieval.local.retriever import stored

STORE = Path(__file__).parent.parent / "focusagent" / "retrieval" / "data" / "local.json"
PRESETS = ("local", "local-lean")


def contender(preset: str) -> Callable[[Weights], Contender]:
    return lambda weights: Contender(preset, "local", True, {"weights": weights, "preset": preset}, "local")


def main() -> None:
    options = arguments()
    scored = [step for path in options.steps for step in read_steps(path)]
    extra = [step for path in options.also for step in read_steps(path)]
    steps = scored + extra
    examples = [example(step) for step in steps]
    fitted = fit(examples)
    for way, key in (("template", template), ("site", site)):
        report(f"cross-validated by {way}", scored, extra, key, leave_out(steps, examples, key))
    report("fitted", scored, extra, lambda step: "", {"": fitted})
    if options.write:
        STORE.write_text(json.dumps({"budgets": stored()["budgets"], "weights": fitted}, indent=1) + "\n")


def report(
    title: str, scored: Sequence[Step], extra: Sequence[Step], key: Callable[[Step], str], weights: dict[str, Weights]
) -> None:
    print(f"\n## {title}\n")
    for name, steps in (("real", scored), ("also", extra)):
        rows = [
            row
            for preset in PRESETS
            for row in by_group(preset, measured(steps, key, preset, weights))
            if not row.group.startswith(("source", "up to"))
        ]
        print(f"{name} steps\n\n{to_markdown(rows)}" if rows else "", flush=True)


def measured(
    steps: Sequence[Step], key: Callable[[Step], str], preset: str, weights: dict[str, Weights]
) -> list[Measured]:
    if set(weights) == {""}:
        return measure(steps, contender(preset)(weights[""]))
    return cross_validated(steps, key, contender(preset), weights)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("steps", nargs="+", type=Path)
    parser.add_argument("--also", nargs="*", type=Path, default=[])
    parser.add_argument("--write", action="store_true", help="store the weights fitted on all")
    return parser.parse_args()


if __name__ == "__main__":
    main()
