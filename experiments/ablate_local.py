"""What each part of `local` is worth: refitted without it, scored on sites left out.

python experiments/ablate_local.py STEPS... [--preset local-lean]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from fitting import example
from folds import cross_validated, folds, leave_out, site

from focusagent.coverage.contenders import Contender
from focusagent.coverage.steps import read_steps
from focusagent.coverage.summary import summarise
from focusagent.coverage.tables import to_markdown
from focusagent.retrieval import Query
from focusagent.retrieval.local.choice import Choice, Limits
from focusagent.retrieval.local.page import PageView
from focusagent.retrieval.local.retriever import Local, Scores

WORDS = ("precision_", "strength_", "phrase_", "quote_", "best_", "control_match", "options_match")
PARTS: dict[str, tuple[str, ...]] = {
    "everything": (),
    "without words": WORDS,
    "without addresses": ("address_match",),
    "without roles": ("kind_",),
    "without state": ("state_",),
    "without regions": ("in_", "outside_main"),
    "without items": ("in_repeated", "best_", "namesakes", "sole_control"),
    "without fields": ("button_by_fields", "among_fields", "options_match", "companion"),
    "without the question": ("asked_", "fact"),
}


class Changed(Local):
    """Without `context` each line is alone: no named ancestor, label or option comes with it. Without `first` no whole
    item and no control comes before the single best lines."""

    def __init__(self, context: bool = True, first: bool = True, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.context, self.first = context, first

    def _choose(
        self,
        query: Query,
        page: PageView,
        scores: Scores,
        bundle: Callable[[int], Sequence[int]],
        first: Sequence[tuple[list[int], float]],
        cuts: Mapping[int, int],
        limits: Limits,
    ) -> Choice:
        alone = bundle if self.context else lambda index: [index]
        return super()._choose(query, page, scores, alone, first if self.first else (), cuts, limits)


def bare(**kwargs: Any) -> Changed:
    return Changed(context=False, **kwargs)


def single(**kwargs: Any) -> Changed:
    return Changed(first=False, **kwargs)


CHANGED = {"without context": "bare", "without whole items and controls first": "single"}


def starts(prefixes: tuple[str, ...]) -> Callable[[str], bool]:
    return lambda name: name.startswith(prefixes) if prefixes else False


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("steps", nargs="+", type=Path)
    parser.add_argument("--preset", default="local-lean")
    options = parser.parse_args()
    steps = [step for path in options.steps for step in read_steps(path)]
    examples = [example(step, site(step)) for step in steps]
    fold_of = folds(steps, site)
    rows = []
    for name, prefixes in [*PARTS.items(), *((name, ()) for name in CHANGED)]:
        path = f"{__name__}.{CHANGED[name]}" if name in CHANGED else "local"
        weights = leave_out(examples, fold_of, starts(prefixes))

        def made(fitted: dict[str, float], name: str = name, path: str = path) -> Contender:
            return Contender(name, path, True, {"weights": fitted, "preset": options.preset})

        rows.append(summarise(name, cross_validated(steps, fold_of, made, weights)))
        print(f"{name} done", flush=True)
    print(to_markdown(rows))


if __name__ == "__main__":
    main()
