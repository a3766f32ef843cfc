"""Fit the weights of the `local` retriever to steps with a known need, and score what was not fitted on.

Each step says: of all lines of this page, the agent needed these. A conditional logit (softmax over the page's lines)
takes that literally. Its weights are held near hand-set expectations (`retrieval/data/local_prior.json`), since the
steps are few and alike; no step can tell about features that it lacks."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from focusagent.axtree import AxTree, simplify
from focusagent.coverage.contenders import Contender
from focusagent.coverage.measure import Measured, measure
from focusagent.coverage.step import Step
from focusagent.retrieval import Query
from focusagent.retrieval.local.features import NAMES
from focusagent.retrieval.local.retriever import Local

Weights = dict[str, float]
STRENGTH = 2.0
"""How strongly weights are held to the prior (half the inverse variance of a weight). Set before fitting, not tuned."""
_SIZE = re.compile(r"\.\d+k(?=\.|$)")


@dataclass(frozen=True)
class Example:
    """A step's lines as features (lines x NAMES) and, for each thing needed, the indexes of the lines that give it."""

    cluster: str
    matrix: NDArray[np.float64]
    needs: tuple[NDArray[np.intp], ...]


def prior() -> Weights:
    """What each feature is expected to weigh, set by hand; 0 for the rest."""
    text = files("focusagent.retrieval.local").joinpath("data/local_prior.json").read_text(encoding="utf-8")
    stored: Weights = json.loads(text)
    return {name: stored.get(name, 0.0) for name in NAMES}


def template(step: Step) -> str:
    """The step's template; tasks of LongPage that differ in their page's size are one."""
    return _SIZE.sub("", step.template)


def site(step: Step) -> str:
    """The step's site; LongPage's sites, which share a host, by their task's name."""
    return ".".join(step.template.split(".")[:2]) if step.template.startswith("longpage.") else step.site


def example(step: Step) -> Example:
    page = AxTree.parse(step.axtree)
    simplified = simplify(page)
    back = {number: new for new, number in simplified.original.items()}
    matrix = Local().matrix(Query(step.goal, simplified.tree, step.history, step.last_action))
    if step.target_texts:
        needs = [[line.number for line in simplified.tree.lines if text in line.text] for text in step.target_texts]
    else:
        numbers = [page.by_bid[step.target_id]] if step.target_id else list(step.needed)
        told = (page.line(number) for number in numbers)
        needs = [[back[line.number]] for line in told if line.number in back and (line.bid or line.name.strip())]
    return Example(template(step), matrix, tuple(np.array(lines) - 1 for lines in needs if lines))


def fit(examples: Sequence[Example], without: Callable[[str], bool] = lambda name: False) -> Weights:
    """The weights of most likelihood under the prior. A template counts as the root of its number of steps, so that the
    many runs of one do not drown the others. Features for which `without` holds weigh 0."""
    from scipy.optimize import minimize

    used = np.array([not without(name) for name in NAMES], dtype=float)
    start = np.array(list(prior().values())) * used
    counts = Counter(one.cluster for one in examples)

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        away = weights - start
        total, slope = 0.5 * STRENGTH * float(away @ away), STRENGTH * away
        for one in examples:
            for value, direction in _needs(one, weights * used):
                share = 1 / (np.sqrt(counts[one.cluster]) * len(one.needs))
                total -= share * value
                slope = slope - share * direction * used
        return total, slope

    best = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 200}).x * used
    return {name: round(float(weight), 3) for name, weight in zip(NAMES, best, strict=True)}


def _needs(one: Example, weights: NDArray[np.float64]) -> Iterable[tuple[float, NDArray[np.float64]]]:
    """For each need, the log of its lines' share of the page's softmax and its gradient."""
    scores = one.matrix @ weights
    shares = np.exp(scores - np.max(scores))
    shares /= shares.sum()
    mean = shares @ one.matrix
    for lines in one.needs:
        mass = max(float(shares[lines].sum()), 1e-300)
        yield float(np.log(mass)), (shares[lines] @ one.matrix[lines]) / mass - mean


def cross_validated(
    steps: Sequence[Step],
    key: Callable[[Step], str],
    contender: Callable[[Weights], Contender],
    weights: Mapping[str, Weights],
) -> list[Measured]:
    """Each step under the weights that were fitted without its group: `weights` by `key`."""
    groups: dict[str, list[Step]] = {}
    for step in steps:
        groups.setdefault(key(step), []).append(step)
    return [one for name, members in groups.items() for one in measure(members, contender(weights[name]))]


def leave_out(
    steps: Sequence[Step],
    examples: Sequence[Example],
    key: Callable[[Step], str],
    without: Callable[[str], bool] = lambda name: False,
) -> dict[str, Weights]:
    """For each group by `key`, the weights fitted on all other groups."""
    keys = [key(step) for step in steps]
    return {
        group: fit([one for one, own in zip(examples, keys, strict=True) if own != group], without)
        for group in dict.fromkeys(keys)
    }
