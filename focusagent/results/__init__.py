"""Result folders, ours or any AgentLab study's: frames, statistics, tables, figures, the report."""

from typing import TYPE_CHECKING, Any

from focusagent.results.statistics import Difference, Rate, paired_difference, success_rate, upper_bound

if TYPE_CHECKING:
    from focusagent.results.frames import LeftOut, Results, load_results

__all__ = [
    "Difference",
    "LeftOut",
    "Rate",
    "Results",
    "load_results",
    "paired_difference",
    "success_rate",
    "upper_bound",
]


def __getattr__(name: str) -> Any:
    """Frames load on first use: they need pandas, which `focusagent coverage` does without."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from focusagent.results import frames

    return getattr(frames, name)
