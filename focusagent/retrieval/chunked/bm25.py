"""BM25Agent's retriever (arXiv 2510.03204, appendix): the ten chunks nearest to goal and previous actions by BM25."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from focusagent.retrieval.base import Query
from focusagent.retrieval.chunked import CHUNK_SIZES
from focusagent.retrieval.chunked.ranked import Ranking, TopChunks, TopSubtrees, windows


def goal_and_actions(query: Query) -> str:
    """BM25Agent's query."""
    return "\n".join([query.goal, *(action for _, action in query.history)])


NO_WORD = "no word of the query occurs on the page: the order says nothing"
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+")


def with_bigrams(text: str) -> str:
    """The text with each run of a script that puts no spaces between words cut into pairs of characters: Chinese,
    Japanese, Thai, Lao, Burmese, Khmer. A tokenizer takes such a run for one word."""
    return _UNSPACED.sub(_pairs, text)


def _pairs(match: re.Match[str]) -> str:
    run = match[0]
    return f" {' '.join(run[i : i + 2] for i in range(len(run) - 1)) or run} "


class BM25Ranker:
    """bm25s with its defaults: Lucene's BM25, k1 = 1.5, b = 0.75, English stop words. `segment` cuts scripts without
    spaces into pairs of characters; the paper's baselines do not."""

    def __init__(self, segment: bool = False) -> None:
        self.segment = segment

    def rank(self, query: str, texts: Sequence[str]) -> Ranking:
        import bm25s

        if self.segment:
            query, texts = with_bigrams(query), [with_bigrams(text) for text in texts]
        corpus = bm25s.tokenize(list(texts), stopwords="en", show_progress=False)
        asked = bm25s.tokenize([query], stopwords="en", return_ids=False, show_progress=False)[0]
        known = [word for word in dict.fromkeys(asked) if word in corpus.vocab]
        if not known:
            return Ranking([0.0] * len(texts), note=NO_WORD)
        index = bm25s.BM25()
        index.index(corpus, show_progress=False)
        return Ranking(index.get_scores([word for word in asked if word in corpus.vocab]).tolist())


def bm25(size: int = 200) -> TopChunks:
    """The paper's baseline at a chunk size in tokens."""
    return windows(BM25Ranker(), size, goal_and_actions)


def bm25_lines(size: int = 200) -> TopSubtrees:
    """The same ranking over chunks of whole lines cut at subtree borders."""
    return TopSubtrees(BM25Ranker(segment=True), size, goal_and_actions)


bm25_50, bm25_100, bm25_200, bm25_400, bm25_500 = (partial(bm25, size) for size in CHUNK_SIZES)
