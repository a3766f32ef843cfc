"""What a site remembers during an episode, and what of it counts."""

from __future__ import annotations

from dataclasses import dataclass

from focusagent.sizes import Size

Fact = tuple[str, ...]
NAMED: tuple[Size, ...] = ("1k", "8k")


@dataclass(frozen=True)
class Change:
    """How the facts differ from the start of the episode."""

    added: frozenset[Fact] = frozenset()
    removed: frozenset[Fact] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.added or self.removed)


@dataclass(frozen=True)
class Happening:
    """A change of a page in place: `html` goes in front of the element that `selector` finds, or replaces its content
    when `inside`; `say` is announced."""

    selector: str
    html: str
    say: str
    inside: bool = False


class SiteState:
    """Base of the sites' states. `facts` holds everything of note that the user did, as plain tuples; `view` is the
    address of the list shown last, as the site understood it; `eventful` switches on what happens by itself. Pages of
    `NAMED` sizes are built as portals are, whose regions, entries and fields have names; larger ones as big shops are,
    where such boxes are anonymous and a field's name is not printed beside it: that is how the real pages differ. One
    server thread writes, the validator only reads."""

    def __init__(self, size: Size = "1k") -> None:
        self.named = size in NAMED
        self.facts: set[Fact] = set()
        self.view: Fact = ()
        self.eventful = False
        self._start: frozenset[Fact] = frozenset()

    def begin(self) -> None:
        """The facts as they stand are the start of the episode."""
        self._start = frozenset(self.facts)

    def change(self) -> Change:
        now = frozenset(self.facts)
        return Change(now - self._start, self._start - now)

    def toggle(self, fact: Fact) -> bool:
        """Add the fact, or take it back if it holds. Returns whether it holds now."""
        self.facts ^= {fact}
        return fact in self.facts

    def happening(self, path: str) -> Happening | None:
        """Something that others do while the user looks at `path`; None where nothing happens. Called once a page."""
        return None
