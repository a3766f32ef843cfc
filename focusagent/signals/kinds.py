"""The conditions of signal-driven observation (arXiv 2606.06708), and what fired."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from focusagent.axtree import AxTree, LineRanges
from focusagent.axtree.diff import Diff


class SignalKind(StrEnum):
    """The four conditions of the paper, and one that is ours: the action ran, but its end is not the one meant."""

    URL_TRANSITION = "url_transition"
    NEW_ELEMENT = "new_element"
    ACTION_FAILURE = "action_failure"
    EXOGENOUS_EVENT = "exogenous_event"
    POSTCONDITION = "postcondition"


ALL_KINDS = frozenset(SignalKind)
PAPER_KINDS = ALL_KINDS - {SignalKind.POSTCONDITION}


@dataclass(frozen=True)
class Snapshot:
    """One observation as the detector sees it. `error` is that of the action that led here."""

    tree: AxTree
    url: str = ""
    error: str = ""


@dataclass(frozen=True)
class Signal:
    """One firing. `lines` are lines of the current tree, `gone` lines of the previous one; `detail` is for reading."""

    kind: SignalKind
    lines: LineRanges
    detail: str
    gone: LineRanges = LineRanges()


@dataclass(frozen=True)
class Signals:
    """All that changed, sorted by cause. Numbers are of the current tree but for `gone`, which the previous one holds:
    `echo` is what the action explains, `volatile` what changes by itself, `new` and `altered` the rest."""

    fired: tuple[Signal, ...]
    diff: Diff
    echo: LineRanges = LineRanges()
    volatile: LineRanges = LineRanges()
    new: LineRanges = LineRanges()
    altered: LineRanges = LineRanges()
    gone: LineRanges = LineRanges()

    def __bool__(self) -> bool:
        return bool(self.fired)

    def has(self, kind: SignalKind) -> bool:
        return any(signal.kind is kind for signal in self.fired)

    @property
    def changed(self) -> LineRanges:
        """Lines of the current tree that neither the action nor a rule explains."""
        return self.new.union(self.altered)
