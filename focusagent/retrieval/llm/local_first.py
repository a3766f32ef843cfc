"""`local+llm`: local drops what is surely noise, a model chooses among the rest, so that it reads and costs less."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from focusagent.axtree import LineRanges
from focusagent.retrieval.base import Fallback, Query, Selection
from focusagent.retrieval.llm.retriever import LLMRetriever
from focusagent.retrieval.local.context import musts
from focusagent.retrieval.local.page import view
from focusagent.retrieval.local.retriever import Local

SHARE = 0.55


class LocalThenLLM:
    """`share` is how much of the page's tokens the model is given; the rest are the arguments of LLMRetriever. What
    must stay on any page (root, page heading, focus, dialogs) stays, whatever the model says. A failure of the model
    is the fallback of the whole: local's lines are then in `ranges`."""

    def __init__(self, model_args: Any, strategy: str = "soft", *, share: float = SHARE, **options: Any) -> None:
        self.local = Local(share=share)
        self.llm = LLMRetriever(model_args, strategy, **options)

    def select(self, query: Query) -> Selection:
        first = self.local.select(query)
        chosen = self.llm.select(replace(query, within=first.ranges))
        why = {number: reason for number, reason in first.why.items() if number in chosen.ranges}
        if not chosen.ranges and (chosen.fallback or query.within is None):
            fallback = chosen.fallback or Fallback.NOTHING_VALID
            return replace(chosen, ranges=first.ranges, why=first.why, fallback=fallback)
        stays = LineRanges.of_numbers(index + 1 for index in musts(query, view(query.tree)))
        return replace(chosen, ranges=chosen.ranges.union(stays.intersection(first.ranges)), why=why)
