"""Retrievers by name. An unknown name is tried as a dotted path, so others plug in without touching this code."""

from __future__ import annotations

from importlib import import_module
from inspect import signature
from typing import Any

from focusagent.errors import UserError, nearest
from focusagent.retrieval.base import Retriever
from focusagent.retrieval.chunked import CHUNK_SIZES

_HERE = "focusagent.retrieval"
RETRIEVERS: dict[str, str] = {
    "all": f"{_HERE}.controls.All",
    "first-5k": f"{_HERE}.controls.FirstTokens",
    "bids": f"{_HERE}.controls.Bids",
    "roles": f"{_HERE}.controls.Roles",
    **{f"bm25-{size}": f"{_HERE}.chunked.bm25.bm25_{size}" for size in CHUNK_SIZES},
    "bm25-lines": f"{_HERE}.chunked.bm25.bm25_lines",
    **{f"embedding-{size}": f"{_HERE}.chunked.embedding.embedding_{size}" for size in CHUNK_SIZES},
    "embedding-lines": f"{_HERE}.chunked.embedding.embedding_lines",
    "local": f"{_HERE}.local.Local",
    "local-lean": f"{_HERE}.local.lean",
    "llm": f"{_HERE}.llm.LLMRetriever",
    "local+llm": f"{_HERE}.llm.local_first.LocalThenLLM",
}


class UnknownRetriever(UserError, ValueError):
    """The name is neither registered nor the dotted path of a callable."""


def check_name(name: str) -> None:
    """Raises UnknownRetriever for what is neither a registered name nor looks like a dotted path; imports nothing."""
    if not isinstance(name, str) or (name not in RETRIEVERS and "." not in name.strip(".")):
        raise UnknownRetriever(_unknown(name), 2)


def _unknown(name: object) -> str:
    return f"unknown retriever {name!r}; {nearest(name, RETRIEVERS)}"


def make_retriever(name: str, **kwargs: Any) -> Retriever:
    """The retriever of that name, made with `kwargs`. Raises UnknownRetriever, naming the nearest known one,
    and UserError for arguments that it does not take or lacks."""
    check_name(name)
    module, _, attribute = RETRIEVERS.get(name, name).rpartition(".")
    try:
        factory = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError, TypeError) as error:
        if name in RETRIEVERS:
            raise
        raise UnknownRetriever(_unknown(name), 2) from error
    if not callable(factory):
        raise UnknownRetriever(_unknown(name), 2)
    try:
        signature(factory).bind(**kwargs)
    except TypeError as error:
        raise UserError(f"retriever {name!r}: {error}", 2) from error
    except ValueError:
        pass
    retriever: Retriever = factory(**kwargs)
    return retriever
