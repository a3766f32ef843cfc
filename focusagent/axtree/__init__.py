"""The pure kernel: trees, line ranges, pruning, simplification. Standard library only."""

from focusagent.axtree.line import AxLine
from focusagent.axtree.prune import KEEPS, Keep, Pruned, prune
from focusagent.axtree.ranges import LineRanges
from focusagent.axtree.simplify import DEFAULT, Simplified, simplify
from focusagent.axtree.tree import AxTree

__all__ = ["DEFAULT", "KEEPS", "AxLine", "AxTree", "Keep", "LineRanges", "Pruned", "Simplified", "prune", "simplify"]
