"""Texts to unit vectors: static word vectors without a network, or OpenAI's embeddings with their cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from focusagent.extras import installed, missing_extra
from focusagent.models.call import Call

Vectors = NDArray[np.float32]


@dataclass(frozen=True)
class Embedded:
    """`vectors` has one row a text, each of length 1 (all zeros for a text without a word); `calls` what it cost."""

    vectors: Vectors
    calls: tuple[Call, ...] = ()


class Embedder(Protocol):
    def embed(self, texts: Sequence[str]) -> Embedded: ...


def normalised(vectors: Vectors) -> Vectors:
    """Rows scaled to length 1; zero rows stay zero."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: Vectors = (vectors / np.where(lengths == 0, 1, lengths)).astype(np.float32)
    return scaled


@lru_cache(maxsize=1)
def _static_model() -> tuple[Any, NDArray[np.float32]]:
    """WordLlama's packaged tokenizer and vectors (MIT). It looks for its tokenizer in a folder of another name than the
    one that its wheel has, and would download it: its own folder is named as the cache instead."""
    import logging

    handlers, level = list(logging.root.handlers), logging.root.level
    import wordllama

    logging.root.handlers[:] = handlers  # importing it configures the root logger
    logging.root.setLevel(level)
    folder = Path(wordllama.__file__).parent
    model = wordllama.WordLlama.load(cache_dir=folder, disable_download=True)
    model.tokenizer.no_padding()
    return model.tokenizer, model.embedding


class StaticEmbedder:
    """The mean of WordLlama's static vectors of a text's tokens. Deterministic; no network; about 20 MB of memory.

    Raises MissingExtra where WordLlama is not installed."""

    def __init__(self) -> None:
        if not StaticEmbedder.installed():
            raise missing_extra("wordllama", "an embedding without a model's name")

    @staticmethod
    def installed() -> bool:
        """Whether the vectors are there; a light install is without them."""
        return installed("wordllama")

    def embed(self, texts: Sequence[str]) -> Embedded:
        parts = [self._embed(texts[first : first + BATCH]) for first in range(0, len(texts), BATCH)]
        return Embedded(np.concatenate(parts) if parts else np.zeros((0, 0), dtype=np.float32))

    @staticmethod
    def _embed(texts: Sequence[str]) -> Vectors:
        tokenizer, table = _static_model()
        encoded = tokenizer.encode_batch_fast([_encodable(text) for text in texts], add_special_tokens=False)
        vectors = np.zeros((len(texts), table.shape[1]), dtype=np.float32)
        ids = [encoding.ids for encoding in encoded]
        rows = [row for row, found in enumerate(ids) if found]
        if rows:
            flat = np.clip(np.concatenate([ids[row] for row in rows]).astype(np.int64), 0, len(table) - 1)
            starts = np.cumsum([0, *(len(ids[row]) for row in rows)])[:-1]
            vectors[rows] = np.add.reduceat(table[flat], starts, axis=0)
        return normalised(vectors)


BATCH = 2_000


def _encodable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
