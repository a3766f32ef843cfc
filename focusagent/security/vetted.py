"""What a defence answers about a page, and the protocol by which the focuser asks it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from focusagent.axtree import AxTree, LineRanges


@dataclass(frozen=True)
class Vetted:
    """`texts`: what may stand in place of each line whose text is withheld; `lines`: their numbers; `note`: one line of
    our own words that tells the agent what covers the page; `reasons`: why, for reading."""

    texts: Mapping[int, str]
    lines: LineRanges
    note: str = ""
    reasons: Mapping[int, tuple[str, ...]] | None = None


class Defence(Protocol):
    def vet(self, tree: AxTree, goal: str, flagged: LineRanges) -> Vetted:
        """Judge every line of the page as received; `flagged` is what the retriever named."""
        ...

    def refusing(self, origin: str) -> Defence:
        """The same defence, which from now on withholds what leads to `origin` (`host:port`): the gate refused it."""
        ...

    def allowing(self, origin: str) -> Defence:
        """The same defence, which withholds that no longer: a vetted click has led there since."""
        ...

    def on_page(self, in_forms: Iterable[str]) -> Defence:
        """The same defence, which knows of the page at hand what its text does not tell: which elements (bids) stand in
        an HTML form."""
        ...
