"""Steps split into folds that share no group: no site, application or template is both learnt from and scored."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

from fitting import Example, Weights, fit

from focusagent.coverage.contenders import Contender
from focusagent.coverage.measure import Measured, measure
from focusagent.coverage.step import Step

FOLDS = 8
_SIZE = re.compile(r"\.\d+k(?=\.|$)")


def template(step: Step) -> str:
    """The step's site where it is named, else its template; LongPage's tasks that differ in their page's size are
    one."""
    return step.site or _SIZE.sub("", step.template)


def site(step: Step) -> str:
    """The step's site: its name, else its host; LongPage's sites, which share a host, by their task's name."""
    longpage = step.template.startswith("longpage.")
    return ".".join(step.template.split(".")[:2]) if longpage else step.site or step.host


def folds(steps: Sequence[Step], key: Callable[[Step], str], count: int = FOLDS) -> list[int]:
    """For each step the fold of its group. The largest groups are dealt first, each to the fold with fewest steps, so
    that the largest group has a fold (nearly) to itself."""
    sizes = Counter(map(key, steps))
    load = [0] * count
    fold_of: dict[str, int] = {}
    for group, size in sorted(sizes.items(), key=lambda entry: (-entry[1], entry[0])):
        fold = fold_of[group] = load.index(min(load))
        load[fold] += size
    return [fold_of[key(step)] for step in steps]


def leave_out(
    examples: Sequence[Example], fold_of: Sequence[int], without: Callable[[str], bool] = lambda name: False
) -> list[Weights]:
    """For each fold the weights fitted on all others."""
    return [
        fit([one for one, own in zip(examples, fold_of, strict=True) if own != fold], without)
        for fold in range(max(fold_of) + 1)
    ]


def cross_validated(
    steps: Sequence[Step],
    fold_of: Sequence[int],
    contender: Callable[[Weights], Contender],
    weights: Sequence[Weights],
) -> list[Measured]:
    """Each step, in order, under the weights that were fitted without its fold."""
    found: dict[int, Measured] = {}
    for fold, fitted in enumerate(weights):
        mine = [index for index, own in enumerate(fold_of) if own == fold]
        found.update(zip(mine, measure([steps[index] for index in mine], contender(fitted)), strict=True))
    return [found[index] for index in range(len(steps))]
