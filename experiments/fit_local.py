"""Fit the weights of `local`: score them on sites, applications and templates left out, then fit on all and store.

python experiments/fit_local.py STEPS... [--also STEPS...] [--weights X...] [--by site|template] [--write]

Each file of STEPS has figures of its own; --also adds steps to learn from (LongPage's train split).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path

from calibration import calibration, reliability
from fitting import Weights, example, fit
from folds import cross_validated, folds, leave_out, site, template

from focusagent.coverage.contenders import Contender
from focusagent.coverage.measure import Measured
from focusagent.coverage.steps import read_steps
from focusagent.coverage.summary import by_group
from focusagent.coverage.tables import to_markdown
from focusagent.retrieval.local.retriever import stored

STORE = Path(__file__).parent.parent / "focusagent" / "retrieval" / "local" / "data" / "local.json"
PRESETS = ("local", "local-lean")
KEYS = {"site": site, "template": template}


def contender(preset: str) -> Callable[[Weights], Contender]:
    return lambda weights: Contender(preset, "local", True, {"weights": weights, "preset": preset}, "local")


def report(title: str, measured: dict[str, Sequence[Measured]]) -> None:
    rows = [
        row
        for preset, ones in measured.items()
        for row in by_group(preset, ones)
        if not row.group.startswith(("source", "up to"))
    ]
    print(f"\n## {title}\n\n{to_markdown(rows)}", flush=True)


def main() -> None:
    options = arguments()
    sets = [(path, read_steps(path)) for path in [*options.steps, *options.also]]
    steps = [step for _, members in sets for step in members]
    weight_of = [*options.weights, *[1.0] * len(sets)]
    examples = [
        example(step, template(step), weight)
        for (_, members), weight in zip(sets, weight_of, strict=False)
        for step in members
    ]
    for way in options.by:
        fold_of = folds(steps, KEYS[way])
        weights = leave_out(examples, fold_of)
        scored = {preset: cross_validated(steps, fold_of, contender(preset), weights) for preset in PRESETS}
        base, slope = calibration([one for ones in scored.values() for one in ones])
        print(f"calibration by {way}: {base:.3f} {slope:.3f}")
        print(*reliability([one for ones in scored.values() for one in ones]), sep="\n")
        start = 0
        for path, members in sets:
            end = start + len(members)
            report(f"{path.name}, by {way}", {preset: ones[start:end] for preset, ones in scored.items()})
            start = end
    if options.write:
        data = {"budgets": stored()["budgets"], "calibration": stored()["calibration"], "weights": fit(examples)}
        STORE.write_text(json.dumps(data, indent=1) + "\n")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("steps", nargs="+", type=Path)
    parser.add_argument("--also", nargs="*", type=Path, default=[])
    parser.add_argument("--weights", nargs="*", type=float, default=[], help="of the files, in order; 1 for the rest")
    parser.add_argument("--by", nargs="*", choices=KEYS, default=list(KEYS), help="what no two folds share")
    parser.add_argument("--write", action="store_true", help="store the weights fitted on all")
    return parser.parse_args()


if __name__ == "__main__":
    main()
