"""Fit the weights of the `local` retriever to steps with a known need.

Each step says: of all lines of this page, the agent needed these. A conditional logit (softmax over the page's lines)
takes that literally. Its weights are held near hand-set expectations (`retrieval/local/data/local_prior.json`), since
the steps are few and alike; no step can tell about features that it lacks."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from focusagent.axtree import AxTree, simplify
from focusagent.coverage.step import Step
from focusagent.retrieval import Query
from focusagent.retrieval.local.features import NAMES
from focusagent.retrieval.local.retriever import Local

Weights = dict[str, float]
Floats = NDArray[np.float64]
STRENGTH = 2.0
"""How strongly weights are held to the prior (half the inverse variance of a weight). Set before fitting, not tuned."""


@dataclass(frozen=True)
class Example:
    """A step's lines as features (lines x NAMES) and, for each thing needed, the indexes of the lines that give it."""

    cluster: str
    matrix: Floats
    needs: tuple[NDArray[np.intp], ...]
    weight: float = 1.0


def prior() -> Weights:
    """What each feature is expected to weigh, set by hand; 0 for the rest."""
    text = files("focusagent.retrieval.local").joinpath("data/local_prior.json").read_text(encoding="utf-8")
    stored: Weights = json.loads(text)
    return {name: stored.get(name, 0.0) for name in NAMES}


def example(step: Step, cluster: str, weight: float = 1.0) -> Example:
    """What the step teaches; steps of one `cluster` share a weight, times `weight`."""
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
    return Example(cluster, matrix, tuple(np.array(lines) - 1 for lines in needs if lines), weight)


class Likelihood:
    """How likely the needs of all examples are under given weights. A cluster counts as the root of its number of
    steps, so that the many steps of one site do not drown the others; a step's needs share its weight."""

    def __init__(self, examples: Sequence[Example]) -> None:
        told = [one for one in examples if one.needs]
        counts = Counter(one.cluster for one in told)
        sizes = [len(one.matrix) for one in told]
        self.matrix = np.concatenate([one.matrix for one in told])
        self.starts = np.concatenate([[0], np.cumsum(sizes[:-1], dtype=np.intp)]).astype(np.intp)
        self.page_of = np.repeat(np.arange(len(told)), sizes)
        rows: list[int] = []
        need_starts: list[int] = []
        pages: list[int] = []
        shares: list[float] = []
        for page, one in enumerate(told):
            for lines in one.needs:
                need_starts.append(len(rows))
                rows.extend((lines + self.starts[page]).tolist())
                pages.append(page)
                shares.append(one.weight / (np.sqrt(counts[one.cluster]) * len(one.needs)))
        self.rows, self.need_starts = np.array(rows), np.array(need_starts)
        self.need_of = np.repeat(np.arange(len(pages)), np.diff([*need_starts, len(rows)]))
        self.shares = np.array(shares)
        self.page_shares = np.bincount(pages, weights=shares, minlength=len(told))

    def __call__(self, weights: Floats) -> tuple[float, Floats]:
        """The weighted sum of the logs of the needs' shares of their pages' softmax, and its gradient."""
        scores = self.matrix @ weights
        odds = np.exp(scores - np.maximum.reduceat(scores, self.starts)[self.page_of])
        odds /= np.add.reduceat(odds, self.starts)[self.page_of]
        mass = np.maximum(np.add.reduceat(odds[self.rows], self.need_starts), 1e-300)
        pull = -self.page_shares[self.page_of] * odds
        np.add.at(pull, self.rows, (self.shares / mass)[self.need_of] * odds[self.rows])
        return float(self.shares @ np.log(mass)), pull @ self.matrix


def fit(examples: Sequence[Example], without: Callable[[str], bool] = lambda name: False) -> Weights:
    """The weights of most likelihood under the prior. Features for which `without` holds weigh 0."""
    from scipy.optimize import minimize

    used = np.array([not without(name) for name in NAMES], dtype=float)
    start = np.array(list(prior().values())) * used
    likelihood = Likelihood(examples)

    def loss(weights: Floats) -> tuple[float, Floats]:
        away = weights - start
        value, slope = likelihood(weights * used)
        return 0.5 * STRENGTH * float(away @ away) - value, STRENGTH * away - slope * used

    best = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 200}).x * used
    return {name: round(float(weight), 3) for name, weight in zip(NAMES, best, strict=True)}
