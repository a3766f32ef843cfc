"""The `local` retriever: scores every line without an LLM or a network, keeps the best with their context in a budget.

Lexical, semantic and structural features of each line are weighed by weights that `experiments/fit_local.py` fits and
stores as data. Each chosen line brings its nearest named ancestor and its label along."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from focusagent.axtree import LineRanges
from focusagent.models.tokens import count_lines, count_tokens
from focusagent.retrieval.base import Query, Selection
from focusagent.retrieval.chunked.embedders import Embedder, StaticEmbedder
from focusagent.retrieval.local.choice import choose
from focusagent.retrieval.local.context import bundles, musts
from focusagent.retrieval.local.features import NAMES, features
from focusagent.retrieval.local.firsts import firsts, marks
from focusagent.retrieval.local.kinds import line_text
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
    item that the goal means up to `whole`."""

    share: float
    long: float = 1.0
    floor: int = 0
    asking: float = 1.0
    whole: float = 0.0
    controls: float = 0.0
    tokens: int | None = None

    def of(self, received: int, asked: bool = False) -> float:
        if self.tokens is not None:
            return self.tokens
        way = math.log(min(max(received, SHORT), LONG) / SHORT) / math.log(LONG / SHORT)
        share = min(self.share * (1 + (self.asking - 1) * (1 - way / 2) if asked else 1), 1)
        return max(share * received * (1 - way * (1 - self.long)), self.floor)


SHORT, LONG = 3_000, 12_000


@lru_cache(maxsize=1)
def stored() -> dict[str, Any]:
    """The fitted weights and budgets."""
    data: dict[str, Any] = json.loads(
        files("focusagent.retrieval.local").joinpath("data/local.json").read_text(encoding="utf-8")
    )
    return data


class Local:
    """Deterministic; linear in the lines of the page; the vectors of line texts are kept for the next page."""

    def __init__(
        self,
        share: float | None = None,
        tokens: int | None = None,
        weights: dict[str, float] | None = None,
        embedder: Embedder | None = None,
        preset: str = "local",
    ) -> None:
        """`share` of the page's tokens (without a floor) or a number of `tokens` replaces the preset's budget;
        `weights`, by feature name, the fitted ones. Raises ValueError for a share outside 0..1, an unknown preset,
        or weights of unknown features."""
        if share is not None and not 0 < share <= 1:
            raise ValueError(f"share must lie in 0..1, not {share}")
        budgets = stored()["budgets"]
        if preset not in budgets:
            raise ValueError(f"preset must be one of {', '.join(budgets)}, not {preset!r}")
        budget = budgets[preset]
        self.budget = Budget(**{**budget, **({"share": share, "floor": 0} if share is not None else {})}, tokens=tokens)
        chosen = stored()["weights"] if weights is None else weights
        if unknown := chosen.keys() - set(NAMES):
            raise ValueError(f"unknown features: {', '.join(sorted(unknown))}")
        self.weights: Scores = np.array([chosen.get(name, 0.0) for name in NAMES])
        self._embedder = embedder or (StaticEmbedder() if StaticEmbedder.installed() else None)
        self._vectors: dict[str, NDArray[np.float32]] = {}

    def select(self, query: Query) -> Selection:
        page = view(query.tree)
        matrix = self.matrix(query, page)
        scores = matrix @ self.weights
        best = marks(page, matrix)
        first = list(firsts(page, matrix, scores, self.budget.whole, self.budget.controls))
        kept = self._choose(query, page, scores, bundles(page, query, best), first)
        numbers = [index + 1 for index, keep in enumerate(kept) if keep]
        return Selection(
            LineRanges.of_numbers(numbers),
            why=explain(query, page, kept, matrix * self.weights),
            confidence=_mass(scores, kept),
        )

    def matrix(self, query: Query, page: PageView | None = None) -> Scores:
        """The features of each line (lines x NAMES), before they are weighed."""
        page = page or view(query.tree)
        return features(query, page, self._similarity(query, page))

    def _choose(
        self,
        query: Query,
        page: PageView,
        scores: Scores,
        bundle: Callable[[int], Sequence[int]],
        first: Sequence[tuple[list[int], float]],
    ) -> list[bool]:
        costs = count_lines(line.text for line in page.lines)
        received = query.tree.received
        size = sum(costs) if received is query.tree else count_tokens(received.text)
        budget = self.budget.of(size, asks(query.goal))
        if query.within is None:
            return choose(costs, scores.tolist(), bundle, musts(query, page), budget, first)
        inside = [line.number in query.within for line in page.lines]
        kept = choose(
            costs,
            [score if inside[index] else -np.inf for index, score in enumerate(scores)],
            lambda index: [line for line in bundle(index) if inside[line]],
            [index for index in musts(query, page) if inside[index]],
            budget,
            [([line for line in lines if inside[line]], share) for lines, share in first],
        )
        return [keep and may for keep, may in zip(kept, inside, strict=True)]

    def _similarity(self, query: Query, page: PageView) -> Scores:
        """Closeness in meaning of each line to the goal; texts met before are not embedded again. All 0
        in a light install, which is without vectors."""
        if self._embedder is None or not query.goal.strip():
            return np.zeros(len(page.lines))
        texts = [line_text(line) for line in page.lines]
        missing = [text for text in dict.fromkeys([query.goal, *texts]) if text not in self._vectors]
        if len(self._vectors) + len(missing) > MAX_VECTORS:
            self._vectors.clear()
            missing = list(dict.fromkeys([query.goal, *texts]))
        self._vectors.update(zip(missing, self._embedder.embed(missing).vectors, strict=True))
        vectors = np.stack([self._vectors[text] for text in texts])
        similarity: Scores = (vectors @ self._vectors[query.goal]).astype(np.float64)
        return similarity


MAX_VECTORS = 100_000


def lean(**kwargs: Any) -> Local:
    """`local` with a smaller budget."""
    return Local(preset="local-lean", **kwargs)


def _mass(scores: Scores, kept: list[bool]) -> float:
    """The share of all lines' weight (softmax of the scores) that the kept lines hold."""
    weights = np.exp(scores - np.max(scores))
    return float(weights[np.array(kept)].sum() / weights.sum())
