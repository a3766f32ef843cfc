"""Run retrievers over steps, on the road that the agents take, and judge what survives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from focusagent.axtree import simplify
from focusagent.axtree.excerpt import excerpt
from focusagent.coverage.contenders import Contender
from focusagent.coverage.metric import Survivors, covers_answer, covers_context, covers_needed, covers_target
from focusagent.coverage.orphans import Orphans, orphans
from focusagent.coverage.step import Step
from focusagent.focused import Focused
from focusagent.focuser import Focuser
from focusagent.retrieval import Retriever

LONG_PAGE = 10_000


@dataclass(frozen=True)
class Measured:
    """One step under one retriever. `covered`, `in_context` and `answered` are None where the step cannot tell."""

    step: Step
    covered: bool | None
    in_context: bool | None
    answered: bool | None
    tokens_full: int
    tokens_kept: int
    milliseconds: float
    cost: float | None
    fallback: str
    orphans: Orphans
    confidence: float | None = None

    @property
    def pruning(self) -> float:
        return 1 - self.tokens_kept / self.tokens_full if self.tokens_full else 0.0

    @property
    def is_long(self) -> bool:
        return self.tokens_full > LONG_PAGE


def measure(steps: Sequence[Step], contender: Contender, max_cost: float | None = None) -> list[Measured]:
    """Every step in order, up to the one after which `max_cost` dollars are spent."""
    return list(_measured(steps, contender, contender.make(), max_cost))


def _measured(
    steps: Sequence[Step], contender: Contender, retriever: Retriever, max_cost: float | None
) -> Iterator[Measured]:
    focuser = Focuser(retriever, simplify=contender.simplify, skip_below=0)
    spent = 0.0
    for step in steps:
        if max_cost is not None and spent >= max_cost:
            return
        focused = focuser.focus(step.axtree, step.goal, history=step.history, last_action=step.last_action)
        measured = judge(step, focused, contender.simplify)
        spent += measured.cost or 0.0
        yield measured


def judge(step: Step, focused: Focused, simplified: bool) -> Measured:
    """What `focused` left of the step's page. An action is nothing that this looks at, only its target."""
    survivors = survivors_of(focused, simplified)
    target = step.target_id
    covered = covers_target(survivors, target) if target else None
    in_context = covers_context(survivors, target) if target else None
    if step.needed:
        covered = covers_needed(survivors, step.needed)
    costs = [call.cost for call in focused.selection.calls]
    return Measured(
        step,
        covered,
        in_context,
        covers_answer(survivors, step.target_texts) if step.target_texts else None,
        focused.tokens_full,
        focused.tokens_pruned,
        focused.seconds * 1_000,
        None if None in costs else sum(cost for cost in costs if cost is not None),
        str(focused.selection.fallback or ""),
        orphans(focused.tree, focused.ranges),
        focused.selection.confidence,
    )


def survivors_of(focused: Focused, simplified: bool) -> Survivors:
    """The lines that `focused` shows, with the text it shows for them: as received where it failed open."""
    page = focused.tree
    texts = dict(simplify(page).texts()) if simplified and focused.text != page.text else {}
    for number, spans in focused.selection.spans.items():
        texts[number] = excerpt(texts.get(number, page.line(number).text), spans)
    return Survivors(page, {number: texts.get(number, page.line(number).text) for number in focused.ranges})
