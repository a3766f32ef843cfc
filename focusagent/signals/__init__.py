"""What happened since the last observation, told without a model (after arXiv 2606.06708)."""

from focusagent.actions import Call, calls
from focusagent.signals.detect import detect_signals
from focusagent.signals.kinds import ALL_KINDS, Signal, SignalKind, Signals, Snapshot
from focusagent.signals.reuse import MODES, Decision, Look, ReuseMode
from focusagent.signals.reusing import ReusingRetriever
from focusagent.signals.volatile import Volatile, VolatileRule

__all__ = [
    "ALL_KINDS",
    "MODES",
    "Call",
    "Decision",
    "Look",
    "ReuseMode",
    "ReusingRetriever",
    "Signal",
    "SignalKind",
    "Signals",
    "Snapshot",
    "Volatile",
    "VolatileRule",
    "calls",
    "detect_signals",
]
