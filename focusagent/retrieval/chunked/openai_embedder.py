"""OpenAI's embeddings, in batches and with their cost; any server that speaks the protocol."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from focusagent.models.call import Call
from focusagent.models.call_log import log
from focusagent.models.catalog import model_info
from focusagent.models.endpoint import endpoint_of
from focusagent.models.failure import NOT_BILLED, Failure, ModelError
from focusagent.models.figures import field, whole
from focusagent.models.retry import Attempts, RetryPolicy
from focusagent.models.tokens import count_tokens
from focusagent.models.transports.openai_chat import json_object
from focusagent.retrieval.chunked.embedders import Embedded, Vectors, normalised

MAX_BATCH_TEXTS, MAX_BATCH_TOKENS = 512, 200_000
_EMPTY = " "


class OpenAIEmbedder:
    """Texts that were embedded before are not asked for again. `model` may name its provider (`openrouter/...`), as a
    chat model's name does. Raises ConfigError for one whose provider cannot be told."""

    def __init__(self, model: str, timeout: float = 60.0) -> None:
        endpoint_of(model)  # its key is never kept here: this is pickled
        self.model = model
        self.timeout = timeout
        self._known: dict[str, Vectors] = {}
        self._client: Any = None

    def embed(self, texts: Sequence[str]) -> Embedded:
        """Raises ModelError, its `call` set, where the provider does not answer; `paid` are the batches before."""
        asked = [text.encode("utf-8", "replace").decode() or _EMPTY for text in texts]
        missing = [text for text in dict.fromkeys(asked) if text not in self._known]
        calls: list[Call] = []
        for batch in _batches(missing):
            try:
                calls.append(self._ask(batch))
            except ModelError as error:
                error.paid = tuple(calls)
                if error.call:
                    log(error.call)
                raise
            log(calls[-1])
        return Embedded(normalised(np.stack([self._known[text] for text in asked])), tuple(calls))

    def _ask(self, batch: list[str]) -> Call:
        started, attempts = time.perf_counter(), Attempts()
        try:
            reply = attempts.run(lambda: self._send(batch), RetryPolicy.from_environment())
        except ModelError as error:
            seconds, cost = time.perf_counter() - started, 0.0 if error.failure in NOT_BILLED else None
            error.call = Call(self.model, cost=cost, seconds=seconds, retries=attempts.retries, error=str(error))
            raise
        tokens = whole(field(reply, "usage", "prompt_tokens")) or None
        call = Call(
            self.model,
            input_tokens=sum(map(count_tokens, batch)) if tokens is None else tokens,
            cost=None if tokens is None else _cost(self.model, tokens),
            seconds=time.perf_counter() - started,
            retries=attempts.retries,
            estimated=tokens is None,
            label=f"embeddings of {len(batch)} texts",
        )
        try:
            self._known |= _vectors(batch, reply)
        except (ValueError, TypeError, KeyError, IndexError) as error:
            told = ModelError(Failure.SERVER_ERROR, f"no embeddings in the reply: {error!r}", passing=False)
            told.call = replace(call, error=str(told))
            raise told from error
        return call

    def _send(self, batch: list[str]) -> dict[str, Any]:
        """The reply's own data: the client's classes fail on fields of other kinds than they expect."""
        reply = self._connected().embeddings.with_raw_response.create(
            model=endpoint_of(self.model).model, input=batch, encoding_format="float"
        )
        return json_object(reply.text)

    def _connected(self) -> Any:
        if self._client is None:
            import openai

            endpoint = endpoint_of(self.model)
            self._client = openai.OpenAI(
                api_key=endpoint.key or "none",
                base_url=endpoint.address or None,
                timeout=self.timeout,
                max_retries=0,
            )
        return self._client

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_client": None}


def _vectors(batch: list[str], reply: dict[str, Any]) -> dict[str, Vectors]:
    """Each text's vector. Raises ValueError, TypeError, KeyError or IndexError for a reply that lacks one."""
    vectors = {
        batch[entry["index"]]: np.asarray(entry["embedding"], dtype=np.float32).reshape(-1) for entry in reply["data"]
    }
    if len(vectors) < len(batch) or len({len(vector) for vector in vectors.values()}) > 1:
        raise ValueError(f"{len(vectors)} vectors for {len(batch)} texts")
    return vectors


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
