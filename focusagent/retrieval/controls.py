"""Controls that do not look at the goal: what a retriever must beat."""

from __future__ import annotations

from focusagent.axtree import LineRanges
from focusagent.models.tokens import count_tokens
from focusagent.retrieval.base import Query, Selection

INTERACTIVE_ROLES = frozenset(
    "button checkbox combobox gridcell link listbox menuitem menuitemcheckbox menuitemradio option radio searchbox"
    " slider spinbutton switch tab textbox treeitem".split()
)


class All:
    """Keeps every line."""

    def select(self, query: Query) -> Selection:
        return _chosen(query, LineRanges.all(len(query.tree)))


class FirstTokens:
    """Keeps the first `tokens` tokens in whole lines, as an agent does that truncates from the bottom."""

    def __init__(self, tokens: int = 5_000) -> None:
        self.tokens = tokens

    def select(self, query: Query) -> Selection:
        left = self.tokens
        for line in query.tree.lines:
            left -= count_tokens(line.text + "\n")
            if left < 0:
                return _chosen(query, LineRanges.all(line.number - 1))
        return _chosen(query, LineRanges.all(len(query.tree)))


class Bids:
    """Keeps every line that has a bid."""

    def select(self, query: Query) -> Selection:
        return _chosen(query, LineRanges.of_numbers(line.number for line in query.tree.lines if line.bid))


class Roles:
    """Keeps every line of an interactive role, its name whole."""

    def select(self, query: Query) -> Selection:
        chosen = (line.number for line in query.tree.lines if line.role in INTERACTIVE_ROLES)
        return _chosen(query, LineRanges.of_numbers(chosen))


def _chosen(query: Query, ranges: LineRanges) -> Selection:
    return Selection(ranges if query.within is None else ranges.intersection(query.within))
