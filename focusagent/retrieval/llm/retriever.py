"""The paper's retriever (arXiv 2510.03204): a light LLM reads the numbered page and names the lines to keep."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from typing import Any

from focusagent.axtree import AxTree, LineRanges
from focusagent.models.budget import prompt_budget
from focusagent.models.cache import AnswerCache
from focusagent.models.client import TIMEOUT, make_client
from focusagent.models.failure import ConfigError
from focusagent.retrieval.base import Fallback, Query, Selection, Skip, nothing_to_choose
from focusagent.retrieval.llm.layout import Layout, NoRoom, lay_out
from focusagent.retrieval.llm.page_text import new_secret
from focusagent.retrieval.llm.prompting import PromptOptions
from focusagent.retrieval.llm.reading import Allowance, PartReader, Reading

MAX_CALLS = 64
CONCURRENCY = 4  # parts read at once where the client is ours; another one may not be safe to share


class LLMRetriever:
    """Chooses lines with a model. `model_args` are AgentLab's Args of any class, or a model's name (`gpt-4.1-mini`,
    `openrouter/qwen/qwen3-8b`), whose key and address then come from the environment.

    A page longer than the model's context is read in parts, `concurrency` at a time (4 by default, 1 with a client that
    is not ours), with at most `max_calls` calls; lines that nobody read are in `Selection.unread`. `options` are those
    of `PromptOptions`. `cache` is a folder of answers to earlier calls, for reruns only. `timeout` is in seconds for
    one attempt.

    It reports to no cost tracker: the calls are in `Selection.calls`, for the caller's thread to report.
    Raises ConfigError for settings that can never work, ValueError or TypeError for options that do not exist."""

    def __init__(
        self,
        model_args: Any,
        strategy: str = "soft",
        *,
        max_calls: int = MAX_CALLS,
        concurrency: int | None = None,
        timeout: float = TIMEOUT,
        cache: str | os.PathLike[str] | None = None,
        **options: Any,
    ) -> None:
        # Answers are kept by their prompt, so a kept prompt must not change from run to run.
        secret = new_secret() if cache is None else ""
        self.options = PromptOptions(strategy, **{"secret": secret} | options)
        self.max_calls = max_calls
        answers = AnswerCache(cache) if cache is not None else None
        self.client = make_client(model_args, timeout=timeout, cache=answers)
        endpoint = self.client.endpoint
        self.concurrency = concurrency or (1 if endpoint.protocol == "own" else CONCURRENCY)
        if self.options.screenshot and not endpoint.vision:
            raise ConfigError(f"{endpoint.model!r} takes no screenshot: its vision_support is off")
        self.budget = prompt_budget(endpoint)
        try:
            lay_out(Query("", AxTree.parse("")), self.options, self.budget)
        except NoRoom as error:
            raise ConfigError(f"{endpoint.model!r}: {error}") from error

    def select(self, query: Query) -> Selection:
        """The lines that the model chooses, within `query.within`. Failures of the provider are fallbacks."""
        n = len(query.tree)
        if nothing_to_choose(query.tree):
            return Selection(LineRanges.all(n), skipped=Skip.EMPTY_PAGE)
        try:
            layout = lay_out(query, self.options, self.budget)
        except NoRoom as error:
            return Selection(LineRanges(), str(error), fallback=Fallback.CONTEXT_LENGTH)
        asked = query.within.clip(n) if query.within is not None else LineRanges.all(n)
        return _selection(self._read(layout), asked, may_be_empty=query.within is not None)

    def _read(self, layout: Layout) -> list[Reading]:
        reader = PartReader(
            self.client,
            self.options,
            layout.query.tree,
            layout.costs,
            layout.prompt,
            Allowance(self.max_calls),
            may_be_empty=len(layout.parts) > 1 or layout.query.within is not None,
        )
        labels = [layout.label(part) for part in layout.parts]
        if self.concurrency > 1 and len(layout.parts) > 1:
            with ThreadPoolExecutor(self.concurrency) as pool:
                return list(chain.from_iterable(pool.map(reader.read, layout.parts, labels)))
        return [
            reading for part, label in zip(layout.parts, labels, strict=True) for reading in reader.read(part, label)
        ]


def _selection(readings: Sequence[Reading], asked: LineRanges, may_be_empty: bool) -> Selection:
    """The readings merged. Nothing read at all leaves no ranges; a part that failed is unread, the others count."""
    read = [reading for reading in readings if reading.failure is None]
    failure = next((reading.failure for reading in readings if reading.failure), None)
    ranges = _union(reading.answer.ranges for reading in read).intersection(asked)
    flagged = _union(reading.answer.flagged for reading in readings).intersection(asked)
    seen = _union(reading.own for reading in read)
    if not failure and not ranges and not may_be_empty:
        failure = Fallback.NOTHING_VALID
    return Selection(
        ranges.difference(flagged),
        reasoning=_joined(readings),
        flagged=flagged,
        fallback=failure,
        calls=tuple(call for reading in readings for call in reading.calls),
        unread=asked.difference(seen) if read and failure != Fallback.NOTHING_VALID else LineRanges(),
        notes=tuple(note for reading in readings for note in reading.answer.notes),
    )


def _union(several: Any) -> LineRanges:
    return LineRanges().union(*several)


def _joined(readings: Sequence[Reading]) -> str:
    if len(readings) == 1:
        return readings[0].answer.reasoning
    parts = ((reading.own.pairs, reading.answer.reasoning) for reading in readings if reading.answer.reasoning)
    return "\n\n".join(f"[lines {pairs[0][0]} to {pairs[-1][1]}] {text}" for pairs, text in parts)
