"""What `focusagent coverage` can compare: retrievers by name, with or without simplification, and their knobs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from focusagent.errors import UserError
from focusagent.models.failure import ConfigError
from focusagent.retrieval import RETRIEVERS, Retriever, UnknownRetriever, make_retriever
from focusagent.retrieval.chunked.embedders import StaticEmbedder

NEED_MODEL = ("llm", "local+llm")
EMBEDDINGS = tuple(name for name in RETRIEVERS if name.startswith("embedding-"))
_NEVER_SIMPLIFY = ("all", "first-5k", "bm25-", "embedding-")
_SHARES = (0.12, 0.2, 0.3, 0.4, 0.5, 0.65, 0.8)
KNOBS: Mapping[str, tuple[str, tuple[float, ...]]] = {
    "local": ("share", _SHARES),
    "first-5k": ("tokens", (500, 1_000, 2_000, 3_000, 5_000, 10_000)),
}
"""Retriever -> the argument that trades coverage for pruning, and the values to draw its curve with. The chunk sizes of
`bm25-*` and `embedding-*` are names of their own."""


@dataclass(frozen=True)
class Contender:
    """A named retriever with its settings; those of one `family` are points of one curve."""

    name: str
    retriever: str
    simplify: bool
    kwargs: Mapping[str, Any] = field(default_factory=dict)
    family: str = ""

    def make(self) -> Retriever:
        """Raises UserError for what can never work."""
        try:
            return make_retriever(self.retriever, **self.kwargs)
        except UnknownRetriever as error:
            raise UserError(str(error), 2) from error
        except (ConfigError, TypeError) as error:
            raise UserError(f"retriever {self.name!r} cannot be made: {error}", 2) from error


def contender(name: str, simplify: bool = True, model: str = "", cache: str = "") -> Contender:
    """The contender of that name. Raises UserError where it needs a model and none is given."""
    kwargs: dict[str, Any] = {}
    if name in NEED_MODEL:
        if not model:
            raise UserError(f"--retriever {name} needs --model NAME", 2)
        kwargs = {"model_args": model} | ({"cache": cache} if cache else {})
    elif name.startswith("embedding-") and model:
        kwargs = {"model": model}
    if name == "simplify":
        return Contender(name, "all", True, family=name)
    return Contender(name, name, simplify and not name.startswith(_NEVER_SIMPLIFY), kwargs, _family(name))


def _family(name: str) -> str:
    head, _, size = name.rpartition("-")
    return head if size.isdigit() else name


def needing_no_key() -> list[str]:
    """Every registered retriever that works without a model as installed, `simplify` included."""
    lacking = NEED_MODEL if StaticEmbedder.installed() else (*NEED_MODEL, *EMBEDDINGS)
    return [*(name for name in RETRIEVERS if name not in lacking), "simplify"]


def along_the_knob(contenders: Iterable[Contender]) -> Iterator[Contender]:
    """For each contender that has a knob, one contender a value of it."""
    for one in contenders:
        knob, values = KNOBS.get(one.name, ("", ()))
        for value in values:
            yield Contender(f"{one.name} {knob}={value}", one.retriever, one.simplify, {knob: value}, one.family)
