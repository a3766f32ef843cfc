"""A retriever that asks another one only when something happened."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from focusagent.axtree import AxTree, LineRanges
from focusagent.models.tokens import count_tokens
from focusagent.retrieval.base import Fallback, Query, Retriever, Selection
from focusagent.signals.detect import shorten_error
from focusagent.signals.kinds import ALL_KINDS, SignalKind
from focusagent.signals.reuse import Decision, Look, Memory, ReuseMode, decide, is_under_overlay, told_of


class ReusingRetriever:
    """Wraps `inner` for one episode: it remembers the last page and what was chosen from it.

    `decision` is the last step's, for tables and for reading; `tree_tokens` counts the o200k tokens of tree text that
    `inner` was handed in it."""

    def __init__(
        self,
        inner: Retriever,
        mode: ReuseMode = "signals",
        kinds: frozenset[SignalKind] = ALL_KINDS,
        strict: bool = False,
    ) -> None:
        self.inner = inner
        self.mode: ReuseMode = mode
        self.kinds, self.strict = kinds, strict
        self.memory: Memory | None = None
        self.decision = Decision(Look.FRESH, "nothing seen yet")
        self.tree_tokens = 0
        self._untold: list[Decision] = []

    def select(self, query: Query) -> Selection:
        decision = self.decision = decide(self.memory, query, self.mode, self.kinds, self.strict)
        selection = _LOOKS[decision.look](self, query, decision)
        self._untold.append(decision)
        overlaid = is_under_overlay(self.memory, query, decision)
        told = told_of(self.memory, query, decision)
        self.memory = Memory(query, selection, overlaid, told, decision.unasked)
        return selection

    def stats(self) -> Mapping[str, float]:
        """The steps since this was last asked for, in numbers for AgentInfo; zeros where there was none, as on a page
        that is too small for a retriever."""
        decisions, self._untold = self._untold, []
        signals = [decision.signals for decision in decisions if decision.signals is not None]
        fired = {f"signal_{kind}": sum(found.has(kind) for found in signals) for kind in SignalKind}
        looks = {f"look_{look}": sum(decision.look is look for decision in decisions) for look in Look}
        return fired | looks | {"retriever_tree_tokens": self.tree_tokens if decisions else 0}

    def _fresh(self, query: Query, decision: Decision) -> Selection:
        within = decision.within or None
        self.tree_tokens = _tokens(query.tree, within) if within else count_tokens(query.tree.text)
        error = shorten_error(query.last_action_error)
        selection = self.inner.select(replace(query, within=within, last_action_error=error))
        ranges = selection.ranges.union(decision.shown) if selection.ranges else selection.ranges
        return replace(selection, ranges=ranges, text=None)  # what is carried over is lines

    def _carried(self, query: Query, decision: Decision) -> Selection:
        self.tree_tokens = 0
        return self._kept(decision, Selection(LineRanges(), f"carried over: {decision.why}"))

    def _incremental(self, query: Query, decision: Decision) -> Selection:
        self.tree_tokens = _tokens(query.tree, decision.within)
        error = shorten_error(query.last_action_error)
        asked = self.inner.select(replace(query, within=decision.within, last_action_error=error))
        if asked.fallback and asked.fallback is not Fallback.NOTHING_VALID:
            return replace(self._kept(decision, replace(asked, ranges=LineRanges())), unread=decision.within)
        chosen = asked.ranges.intersection(decision.within)
        return self._kept(decision, replace(asked, ranges=chosen, fallback=None))

    def _kept(self, decision: Decision, asked: Selection) -> Selection:
        """What is new, what is shown in any case, and what stays of the last selection; warnings stay as well."""
        last = self.memory.selection if self.memory else Selection(LineRanges())
        moved = (lambda ranges: ranges) if decision.signals is None else decision.signals.diff.carried
        return replace(
            asked,
            ranges=decision.carried.union(asked.ranges, decision.shown),
            reused=decision.carried.difference(asked.ranges),
            flagged=asked.flagged.union(moved(last.flagged)),
        )


_LOOKS = {
    Look.FRESH: ReusingRetriever._fresh,
    Look.CARRIED: ReusingRetriever._carried,
    Look.INCREMENTAL: ReusingRetriever._incremental,
}


def _tokens(tree: AxTree, ranges: LineRanges) -> int:
    return count_tokens("\n".join(tree.line(number).text for number in ranges))
