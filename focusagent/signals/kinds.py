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
    """One observation as the detector sees it."""

    tree: AxTree
    url: str = ""  # address of the page
    error: str = ""  # of the action that led here


@dataclass(frozen=True)
class Signal:
    """One firing."""

    kind: SignalKind
    lines: LineRanges  # of the current tree
    detail: str  # for a reader
    gone: LineRanges = LineRanges()  # lines of the previous tree


@dataclass(frozen=True)
class Signals:
    """All that changed, sorted by cause."""

    fired: tuple[Signal, ...]  # in the order of SignalKind
    diff: Diff
    echo: LineRanges = LineRanges()  # lines of the current tree that the action explains
    volatile: LineRanges = LineRanges()  # lines that change by themselves
    new: LineRanges = LineRanges()  # lines that appeared and nothing explains
    altered: LineRanges = LineRanges()  # lines that changed and nothing explains
    gone: LineRanges = LineRanges()  # lines of the previous tree that nothing explains

    def __bool__(self) -> bool:
        return bool(self.fired)

    def has(self, kind: SignalKind) -> bool:
        return any(signal.kind is kind for signal in self.fired)

    @property
    def changed(self) -> LineRanges:
        """Lines of the current tree that neither the action nor a rule explains."""
        return self.new.union(self.altered)
