"""The defence that the focuser asks: detection and sanitising as one judgement of a page, without a model."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from focusagent.axtree import AxTree, LineRanges
from focusagent.security.detect import Detection, detect
from focusagent.security.origins import origin_of
from focusagent.security.sanitise import sanitise, skeleton_of
from focusagent.security.vetted import Vetted


@dataclass(frozen=True)
class TextDefence:
    """Withholds what the rules or the retriever flag. With `detect` off only the retriever's word counts; with
    `sanitise` off a flagged element is bare bid and role, and nothing says how to dismiss what covers the page.
    `refused`: origins that the gate refused, whose text led the agent astray; `in_forms`: bids of the page's elements
    that stand in an HTML form."""

    detect: bool = True
    sanitise: bool = True
    refused: frozenset[str] = frozenset()
    in_forms: frozenset[str] = frozenset()

    def on_page(self, in_forms: Iterable[str]) -> TextDefence:
        return replace(self, in_forms=frozenset(in_forms))

    def refusing(self, origin: str) -> TextDefence:
        return replace(self, refused=self.refused | {origin})

    def allowing(self, origin: str) -> TextDefence:
        site = origin_of(origin)
        kept = (one for one in self.refused if not (site and (other := origin_of(one)) and site.is_site(other)))
        return replace(self, refused=frozenset(kept))

    def vet(self, tree: AxTree, goal: str, flagged: LineRanges) -> Vetted:
        found = _detected(tree, goal, self.refused) if self.detect else Detection()
        lines = found.flagged.union(flagged.clip(len(tree)))
        reasons = {number: found.reasons.get(number, ("named by the retriever",)) for number in lines}
        if not self.sanitise:
            return Vetted({number: skeleton_of(tree, tree.line(number)) for number in lines}, lines, reasons=reasons)
        clean = sanitise(tree, lines, goal, found.attacks, self.in_forms)
        reasons |= dict.fromkeys(clean.lines.difference(lines), ("repeats withheld text",))
        return Vetted(clean.texts, clean.lines, clean.note, reasons)


@lru_cache(maxsize=2)
def _detected(tree: AxTree, goal: str, refused: frozenset[str]) -> Detection:
    """A page is vetted before the retriever and after it; the rules say the same both times."""
    return detect(tree, goal, refused=refused)
