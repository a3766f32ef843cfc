"""BM25Agent's retriever (arXiv 2510.03204, appendix): the ten chunks nearest to goal and previous actions by BM25."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from focusagent.retrieval.base import Query
from focusagent.retrieval.chunked import CHUNK_SIZES
from focusagent.retrieval.chunked.ranked import Ranking, TopChunks, TopSubtrees, windows


def goal_and_actions(query: Query) -> str:
    """BM25Agent's query."""
    return "\n".join([query.goal, *(action for _, action in query.history)])


class BM25Ranker:
    """bm25s with its defaults: Lucene's BM25, k1 = 1.5, b = 0.75, English stop words."""

    def rank(self, query: str, texts: Sequence[str]) -> Ranking:
        import bm25s

        corpus = bm25s.tokenize(list(texts), stopwords="en", show_progress=False)
        asked = bm25s.tokenize([query], stopwords="en", return_ids=False, show_progress=False)[0]
        known = [word for word in dict.fromkeys(asked) if word in corpus.vocab]
        if not known:
            return Ranking([0.0] * len(texts))
        index = bm25s.BM25()
        index.index(corpus, show_progress=False)
        return Ranking(index.get_scores([word for word in asked if word in corpus.vocab]).tolist())


def bm25(size: int = 200) -> TopChunks:
    """The paper's baseline at a chunk size in tokens."""
    return windows(BM25Ranker(), size, goal_and_actions)


def bm25_lines(size: int = 200) -> TopSubtrees:
    """The same ranking over chunks of whole lines cut at subtree borders."""
    return TopSubtrees(BM25Ranker(), size, goal_and_actions)


bm25_50, bm25_100, bm25_200, bm25_400, bm25_500 = (partial(bm25, size) for size in CHUNK_SIZES)
