"""EmbeddingAgent's retriever (arXiv 2510.03204, appendix): the ten chunks nearest in meaning to goal and history."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from focusagent.retrieval.base import Query
from focusagent.retrieval.chunked import CHUNK_SIZES
from focusagent.retrieval.chunked.embedders import Embedder, StaticEmbedder
from focusagent.retrieval.chunked.ranked import Ranking, TopChunks, TopSubtrees, windows


def goal_and_interactions(query: Query) -> str:
    """EmbeddingAgent's query: the goal and every past thought and action."""
    past = (part for exchange in query.history for part in exchange if part)
    return "\n".join([query.goal, *past])


class EmbeddingRanker:
    """Cosine similarity of unit vectors."""

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder

    def rank(self, query: str, texts: Sequence[str]) -> Ranking:
        embedded = self.embedder.embed([query, *texts])
        return Ranking((embedded.vectors[1:] @ embedded.vectors[0]).tolist(), embedded.calls)


def embedder(model: str = "") -> Embedder:
    """The embedder of a model's name: the local one for "", else one at OpenAI's or a compatible address."""
    if not model:
        return StaticEmbedder()
    from focusagent.retrieval.chunked.openai_embedder import OpenAIEmbedder

    return OpenAIEmbedder(model)


def embedding(size: int = 200, model: str = "") -> TopChunks:
    """The paper's baseline at a chunk size in tokens."""
    return windows(EmbeddingRanker(embedder(model)), size, goal_and_interactions)


def embedding_lines(size: int = 200, model: str = "") -> TopSubtrees:
    """The same ranking over chunks of whole lines cut at subtree borders."""
    return TopSubtrees(EmbeddingRanker(embedder(model)), size, goal_and_interactions)


embedding_50, embedding_100, embedding_200, embedding_400, embedding_500 = (
    partial(embedding, size) for size in CHUNK_SIZES
)
