"""The paper's retrieval baselines: GenericAgent on the best chunks by BM25 or by embeddings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from focusagent.agents.focus_agent import FocusAgentArgs
from focusagent.agents.generic import model_slug


@dataclass
class BM25AgentArgs(FocusAgentArgs):
    """Chunks of `chunk_size` tokens, the ten best for the goal and the previous actions; never simplifies or skips."""

    retriever: str = "bm25-200"
    simplify: bool = False
    skip_below: int = 0

    def default_name(self) -> str:
        return f"{self.retriever}__{model_slug(self.chat_model_args)}"


@dataclass
class EmbeddingAgentArgs(BM25AgentArgs):
    """The same chunks ranked by an embedding model: `embedding_model`, or the local one where it is "" (no key)."""

    retriever: str = "embedding-200"
    embedding_model: str = "text-embedding-3-small"

    def make_retriever_kwargs(self) -> dict[str, Any]:
        return super().make_retriever_kwargs() | {"model": self.embedding_model}
