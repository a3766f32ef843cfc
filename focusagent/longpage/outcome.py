"""When an episode has succeeded: exactly the asked change on the server, or the right answer, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Sequence, Sized
from dataclasses import dataclass
from typing import Any, Protocol

from focusagent.longpage.state import Change, Fact, SiteState


@dataclass(frozen=True)
class Verdict:
    """`progress` is the share of the asked facts (or 0/1 for an answer); `note` says what is missing or too much."""

    success: bool
    done: bool
    progress: float
    note: str = ""


class Outcome(Protocol):
    def judge(self, state: Any, messages: Sequence[str]) -> Verdict:
        """`state` is the benchmark's own kind; `messages` are what the agent wrote to the user, oldest first."""
        ...


class Changeable(Protocol):
    """A state that can tell whether anything differs from the start of the episode."""

    def change(self) -> Sized | Change: ...


@dataclass(frozen=True)
class Changed:
    """The facts differ from the start by exactly this."""

    change: Change

    def judge(self, state: SiteState, messages: Sequence[str]) -> Verdict:
        now = state.change()
        wanted = len(self.change.added) + len(self.change.removed)
        reached = len(self.change.added & now.added) + len(self.change.removed & now.removed)
        extra = len(now.added - self.change.added) + len(now.removed - self.change.removed)
        success = reached == wanted and not extra
        return Verdict(success, success, reached / wanted, f"{reached} of {wanted} changes, {extra} others")


def added(*facts: Fact) -> Changed:
    return Changed(Change(added=frozenset(facts)))


def removed(*facts: Fact) -> Changed:
    return Changed(Change(removed=frozenset(facts)))


@dataclass(frozen=True)
class Viewed:
    """The list shown last is this one, and nothing was changed."""

    view: Fact

    def judge(self, state: SiteState, messages: Sequence[str]) -> Verdict:
        reached = sum(state.view[index : index + 1] == (part,) for index, part in enumerate(self.view))
        success = state.view == self.view and not state.change()
        return Verdict(success, success, reached / len(self.view), f"last list {'/'.join(state.view)}")


@dataclass(frozen=True)
class Answered:
    """The agent's first message names the answer and none of its rivals, and nothing was changed."""

    answer: str
    rivals: tuple[str, ...] = ()

    def judge(self, state: Changeable, messages: Sequence[str]) -> Verdict:
        if not messages:
            return Verdict(False, False, 0.0, "no answer yet")
        said = _plain(messages[0])
        right = _holds(said, self.answer)
        wrong = [rival for rival in self.rivals if not _holds(self.answer, rival) and _holds(said, rival)]
        success = right and not wrong and not state.change()
        return Verdict(success, True, float(right), f"answer {'right' if right else 'wrong'}, {len(wrong)} rivals")


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip().casefold()


def _holds(text: str, part: str) -> bool:
    """Whether `part` stands in `text` as whole words: `12` is not in `120`, `ada` not in `ada_2`."""
    return re.search(rf"(?<![\w.,-]){re.escape(_plain(part))}(?![\w-]|[.,]\d)", _plain(text)) is not None
