"""The root model's list of observations O1, O2, ...: the newest in full, older ones folded into a line, all bounded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from focusagent.axtree import AxTree
from focusagent.focused import Focused

MAX_PURPOSE = 80
MAX_FOLDED = 160


@dataclass(frozen=True)
class Observation:
    """What the sub-call made of one page. `lines` are AxTree lines and placeholders; `because` is what made it due."""

    number: int
    step: int
    because: str
    title: str
    lines: tuple[str, ...]

    @property
    def header(self) -> str:
        return f"Observation {self.number}, before step {self.step}, because of {_short(self.because)}"

    @property
    def folded(self) -> str:
        return f"{self.header}: {self.title}, {len(self.lines)} lines"


@dataclass
class Observations:
    """At most `full` observations keep their lines, at most `folded` more keep one line; older ones are counted."""

    full: int = 1
    folded: int = 10
    purposes: bool = True
    kept: list[Observation] = field(default_factory=list)
    seen: int = 0

    def add(self, focused: Focused, step: int, because: str) -> Observation:
        self.seen += 1
        root = focused.tree.line(1)
        lines = compact_lines(focused) if self.purposes else tuple(focused.text.split("\n"))
        observation = Observation(self.seen, step, because, _short(root.name or root.role), lines)
        self.kept = [*self.kept, observation][-(self.full + self.folded) :]
        return observation

    def render(self) -> str:
        """The list as it stands in the prompt: the newest observation last, after an empty line."""
        older, newest = self.kept[:-1], self.kept[-1]
        dropped = self.seen - len(self.kept)
        notes = [f"({dropped} earlier observations)"] if dropped else []
        first_full = len(self.kept) - self.full
        for position, observation in enumerate(older):
            in_full = position >= first_full
            notes += [observation.header, *observation.lines] if in_full else [observation.folded]
        return "\n".join([*notes, f"{newest.header}:", "", *newest.lines])


def compact_lines(focused: Focused) -> tuple[str, ...]:
    """The lines shown, each with its purpose where the sub-call gave one, as a property that reads like the others."""
    shown = focused.text.split("\n")
    offset = 1 if focused.note and focused.removed and len(shown) > 1 and focused.note.startswith(shown[0]) else 0
    kept = {number: number for number in focused.ranges}
    runs = {first: 0 for first, _ in focused.removed.pairs}
    numbers = [0] * offset + [number for _, number in sorted((kept | runs).items())]
    if len(numbers) != len(shown):
        return tuple(shown)
    why = focused.selection.why
    return tuple(with_purpose(text, why, number) for text, number in zip(shown, numbers, strict=True))


def with_purpose(text: str, why: Mapping[int, str], number: int) -> str:
    purpose = " ".join(why.get(number, "").split())[:MAX_PURPOSE]
    return f"{text}, purpose={purpose!r}" if purpose else text


def bids_in(observation: Observation) -> frozenset[str]:
    """The elements that the root model can name."""
    return frozenset(AxTree.parse("\n".join(observation.lines), "browsergym").by_bid)


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= MAX_FOLDED else f"{flat[: MAX_FOLDED - 1]}…"
