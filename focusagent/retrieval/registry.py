"""Retrievers by name. An unknown name is tried as a dotted path, so others plug in without touching this code."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from inspect import Parameter, signature
from typing import Any

from focusagent.errors import BadSetting, UserError, nearest
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
# Where a factory hands on its `**kwargs`: whose parameters they may be as well.
_TAKERS: dict[str, tuple[str, ...]] = {
    "local-lean": (f"{_HERE}.local.Local",),
    "llm": (f"{_HERE}.llm.prompting.PromptOptions",),
    "local+llm": (f"{_HERE}.llm.LLMRetriever", f"{_HERE}.llm.prompting.PromptOptions"),
}
# Retrievers that can be made without a model, a key or a download, which proves their arguments.
_CHEAP = ("first-5k", "bm25-lines", "local", "local-lean")


class UnknownRetriever(UserError, ValueError):
    """The name is neither registered nor the dotted path of a callable."""


def check_name(name: str) -> None:
    """Raises UnknownRetriever for what is neither a registered name nor looks like a dotted path; imports nothing."""
    if not isinstance(name, str) or (name not in RETRIEVERS and "." not in name.strip(".")):
        raise UnknownRetriever(_unknown(name), 2)


def _unknown(name: object) -> str:
    return f"unknown retriever {name!r}; {nearest(name, RETRIEVERS)}"


def check_arguments(name: str, kwargs: Mapping[str, Any]) -> None:
    """Raises BadSetting, naming the nearest argument, for one that the retriever does not take, and for values that it
    refuses. Imports the retriever only where there are arguments to check."""
    if not kwargs or name not in RETRIEVERS:
        return
    paths = (RETRIEVERS[name], *_TAKERS.get(name, ()))
    known = {parameter for path in paths for parameter in _parameters(_factory(path))}
    for key in kwargs:
        if key not in known:
            raise BadSetting(f"retriever {name!r} takes no argument {key!r}; {nearest(key, sorted(known) or ['none'])}")
    if name in _CHEAP:
        try:
            make_retriever(name, **kwargs)
        except (ValueError, TypeError) as error:
            raise BadSetting(f"retriever {name!r}: {error}") from error


def _parameters(factory: Any) -> list[str]:
    named = signature(factory).parameters.values()
    return [one.name for one in named if one.kind is not Parameter.VAR_KEYWORD]


def _factory(path: str) -> Any:
    module, _, attribute = path.rpartition(".")
    return getattr(import_module(module), attribute)


def make_retriever(name: str, **kwargs: Any) -> Retriever:
    """The retriever of that name, made with `kwargs`. Raises UnknownRetriever, naming the nearest known one,
    and UserError for arguments that it does not take or lacks."""
    check_name(name)
    try:
        factory = _factory(RETRIEVERS.get(name, name))
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
