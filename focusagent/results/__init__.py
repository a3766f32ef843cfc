"""Result folders, ours or any AgentLab study's: frames, statistics, tables, figures, the report."""

from focusagent.results.frames import LeftOut, Results, load_results
from focusagent.results.statistics import Difference, Rate, paired_difference, success_rate, upper_bound

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
