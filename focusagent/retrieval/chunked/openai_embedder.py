"""OpenAI's embeddings, in batches and with their cost; any server that speaks the protocol (OPENAI_BASE_URL)."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from focusagent.models.call import Call
from focusagent.models.catalog import model_info
from focusagent.models.failure import ModelError
from focusagent.models.retry import Attempts, RetryPolicy
from focusagent.models.tokens import count_tokens
from focusagent.retrieval.chunked.embedders import Embedded, Vectors, normalised

MAX_BATCH_TEXTS, MAX_BATCH_TOKENS = 512, 200_000
_EMPTY = " "


class OpenAIEmbedder:
    """Texts that were embedded before are not asked for again."""

    def __init__(self, model: str, timeout: float = 60.0) -> None:
        self.model = model
        self.timeout = timeout
        self._known: dict[str, Vectors] = {}
        self._client: Any = None

    def embed(self, texts: Sequence[str]) -> Embedded:
        """Raises ModelError, its `call` set, where the provider does not answer."""
        asked = [text.encode("utf-8", "replace").decode() or _EMPTY for text in texts]
        missing = [text for text in dict.fromkeys(asked) if text not in self._known]
        calls = tuple(self._ask(batch) for batch in _batches(missing))
        return Embedded(normalised(np.stack([self._known[text] for text in asked])), calls)

    def _ask(self, batch: list[str]) -> Call:
        started, attempts = time.perf_counter(), Attempts()
        try:
            reply = attempts.run(lambda: self._send(batch), RetryPolicy.from_environment())
        except ModelError as error:
            seconds = time.perf_counter() - started
            error.call = Call(self.model, cost=0.0, seconds=seconds, retries=attempts.retries, error=str(error))
            raise
        for entry in reply.data:
            self._known[batch[entry.index]] = np.asarray(entry.embedding, dtype=np.float32)
        tokens = getattr(reply.usage, "prompt_tokens", None)
        return Call(
            self.model,
            input_tokens=sum(map(count_tokens, batch)) if tokens is None else tokens,
            cost=None if tokens is None else _cost(self.model, tokens),
            seconds=time.perf_counter() - started,
            retries=attempts.retries,
            estimated=tokens is None,
            label=f"embeddings of {len(batch)} texts",
        )

    def _send(self, batch: list[str]) -> Any:
        return self._connected().embeddings.create(model=self.model, input=batch, encoding_format="float")

    def _connected(self) -> Any:
        if self._client is None:
            import openai

            key = os.environ.get("OPENAI_API_KEY") or "none"
            self._client = openai.OpenAI(api_key=key, timeout=self.timeout, max_retries=0)
        return self._client

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_client": None}


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    tokens = 0
    for text in texts:
        size = count_tokens(text)
        if batch and (len(batch) == MAX_BATCH_TEXTS or tokens + size > MAX_BATCH_TOKENS):
            yield batch
            batch, tokens = [], 0
        batch.append(text)
        tokens += size
    if batch:
        yield batch


def _cost(model: str, tokens: int) -> float | None:
    info = model_info(model)
    return info.prices.cost(tokens, 0) if info and info.prices else None
