"""The `local` retriever: scores every line without an LLM or a network, keeps the best with their context in a budget.

Lexical and structural features of each line are weighed by weights that `experiments/fit_local.py` fits and
stores as data. Each chosen line brings its nearest named ancestor and its label along."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from focusagent.axtree import LineRanges
from focusagent.models.tokens import count_lines, count_tokens
from focusagent.retrieval.base import Query, Selection
from focusagent.retrieval.local.choice import Choice, Limits, Lines, choose
from focusagent.retrieval.local.context import bundles, musts, row_needs
from focusagent.retrieval.local.excerpts import cut, long_texts
from focusagent.retrieval.local.features import NAMES, features
from focusagent.retrieval.local.firsts import firsts, marks
from focusagent.retrieval.local.page import PageView, view
from focusagent.retrieval.local.why import explain
from focusagent.retrieval.local.words import asks

Scores = NDArray[np.float64]


@dataclass(frozen=True)
class Budget:
    """How many tokens of a page may stay, counted on the page as received: `share` of it up to SHORT tokens, falling
    with the logarithm of its length to `share` x `long` from LONG tokens on, never under `floor` tokens; `asking`
    times as much where the goal asks, since answers are text, and half of that more on long pages. `tokens` is a
    fixed budget instead. Before single lines are chosen, the page's own controls may fill it up to `controls`, the
    item that the goal means up to `whole`. Beyond `least` tokens no more is kept once it holds `enough` of the weight:
    a page whose scores tell its lines apart costs less."""

    share: float
    long: float = 1.0
    floor: int = 0
    asking: float = 1.0
    whole: float = 0.0
    controls: float = 0.0
    enough: float = 1.0
    least: float = 0.0
    tokens: int | None = None

    def of(self, received: int, asked: bool = False) -> float:
        if self.tokens is not None:
            return self.tokens
        way = math.log(min(max(received, SHORT), LONG) / SHORT) / math.log(LONG / SHORT)
        share = min(self.share * (1 + (self.asking - 1) * (1 - way / 2) if asked else 1), 1)
        return max(share * received * (1 - way * (1 - self.long)), self.floor)

    def limits(self, received: int, asked: bool) -> Limits:
        budget = self.of(received, asked)
        return Limits(budget, self.enough, min(self.least, budget))

    def wider(self) -> Budget:
        """Half as much again, and twice as sure; at last the whole page."""
        if self.share * WIDER >= 1 or self.tokens is not None:
            return replace(self, share=1.0, long=1.0, enough=1.0, tokens=None)
        long = min(self.long * WIDER, 1.0)
        return replace(self, share=self.share * WIDER, long=long, enough=(1 + self.enough) / 2)


SHORT, LONG = 3_000, 12_000
WIDER = 1.5
FIXED = {"floor": 0, "enough": 1.0}


@lru_cache(maxsize=1)
def stored() -> dict[str, Any]:
    """The fitted weights and budgets."""
    data: dict[str, Any] = json.loads(
        files("focusagent.retrieval.local").joinpath("data/local.json").read_text(encoding="utf-8")
    )
    return data


class Local:
    """Deterministic; linear in the lines of the page; keeps nothing from one page to the next."""

    def __init__(
        self,
        share: float | None = None,
        tokens: int | None = None,
        weights: dict[str, float] | None = None,
        preset: str = "local",
        min_confidence: float = 0.0,
    ) -> None:
        """`share` of the page's tokens (without a floor) or a number of `tokens` replaces the preset's budget;
        `weights`, by feature name, the fitted ones. Where the confidence of a selection is under `min_confidence`, the
        cut is widened until it is not, or nothing is left out. Raises ValueError for a share or `min_confidence`
        outside 0..1, an unknown preset, or weights of unknown features."""
        if not 0 <= min_confidence <= 1:
            raise ValueError(f"min_confidence must lie in 0..1, not {min_confidence}")
        self.min_confidence = min_confidence
        if share is not None and not 0 < share <= 1:
            raise ValueError(f"share must lie in 0..1, not {share}")
        budgets = stored()["budgets"]
        if preset not in budgets:
            raise ValueError(f"preset must be one of {', '.join(budgets)}, not {preset!r}")
        budget = budgets[preset]
        self.budget = Budget(**{**budget, **(FIXED | {"share": share} if share is not None else {})}, tokens=tokens)
        if tokens is not None:
            self.budget = replace(self.budget, enough=1.0)
        chosen = stored()["weights"] if weights is None else weights
        if unknown := chosen.keys() - set(NAMES):
            raise ValueError(f"unknown features: {', '.join(sorted(unknown))}")
        self.weights: Scores = np.array([chosen.get(name, 0.0) for name in NAMES])

    def select(self, query: Query) -> Selection:
        page = view(query.tree)
        matrix = self.matrix(query, page)
        scores = matrix @ self.weights
        best = marks(page, matrix)
        first = list(firsts(page, matrix, scores, self.budget.whole, self.budget.controls))
        parts = {index: cut(page.lines[index], query.goal) for index in long_texts(page)}
        tokens = {index: cost for index, (_, cost) in parts.items()}
        bundle = bundles(page, query, best)
        size = count_tokens(query.tree.received.text)
        budget = self.budget
        while True:
            choice = self._choose(query, page, scores, bundle, first, tokens, budget.limits(size, asks(query.goal)))
            kept = _may(query, choice.kept)
            confidence = calibrated(_mass(scores, kept))
            if confidence >= self.min_confidence or choice.tokens < 1 or budget.share >= 1 or all(kept):
                break
            budget = budget.wider()
        return Selection(
            LineRanges.of_numbers(index + 1 for index, keep in enumerate(kept) if keep),
            why=explain(query, page, kept, matrix * self.weights),
            confidence=confidence,
            spans={index + 1: (parts[index][0],) for index in choice.cut if kept[index]},
        )

    def matrix(self, query: Query, page: PageView | None = None) -> Scores:
        """The features of each line (lines x NAMES), before they are weighed."""
        return features(query, page or view(query.tree))

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
        costs = count_lines(line.text for line in page.lines)
        if query.within is None:
            return choose(
                Lines(costs, scores.tolist(), bundle, cuts, row_needs(page)),
                musts(query, page),
                first,
                limits,
            )
        inside = [line.number in query.within for line in page.lines]
        return choose(
            Lines(
                costs,
                [score if inside[index] else -np.inf for index, score in enumerate(scores)],
                lambda index: [line for line in bundle(index) if inside[line]],
                cuts,
                {index: other for index, other in row_needs(page).items() if inside[index] and inside[other]},
            ),
            [index for index in musts(query, page) if inside[index]],
            [([line for line in lines if inside[line]], share) for lines, share in first],
            limits,
        )


def lean(**kwargs: Any) -> Local:
    """`local` with a smaller budget."""
    return Local(preset="local-lean", **kwargs)


def _may(query: Query, kept: list[bool]) -> list[bool]:
    """What was kept, but for lines that the query does not allow."""
    if query.within is None:
        return kept
    return [keep and index + 1 in query.within for index, keep in enumerate(kept)]


def _mass(scores: Scores, kept: list[bool]) -> float:
    """The share of all lines' weight (softmax of the scores) that the kept lines hold."""
    weights = np.exp(scores - np.max(scores))
    return float(weights[np.array(kept)].sum() / weights.sum())


def calibrated(mass: float) -> float:
    """How probable it is that all that is needed is kept, by the share of weight kept: as often as it was on sites that
    the weights were not fitted on."""
    base, slope = stored()["calibration"]
    left = min(max(1 - mass, 1e-6), 1 - 1e-6)
    return float(1 / (1 + math.exp(-(base + slope * math.log((1 - left) / left)))))
