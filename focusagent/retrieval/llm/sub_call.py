"""The sub-call of SDO (arXiv 2606.06708): a model reads the whole page and lists the elements that matter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from focusagent.axtree import LineRanges
from focusagent.models.budget import prompt_budget
from focusagent.models.call import Call
from focusagent.models.client import make_client
from focusagent.models.failure import ModelError
from focusagent.models.request import Message, estimate_tokens
from focusagent.retrieval.base import Fallback, Query, Selection
from focusagent.retrieval.llm.elements import Elements, read_elements
from focusagent.retrieval.llm.page_text import fence_for, fit_lines, inline, new_secret, numbered_lines
from focusagent.retrieval.llm.parts import Part, lines_to_read, plan_parts
from focusagent.retrieval.llm.prompting import goal_text

MAX_CALLS = 16
LEAST_ROOM = 256
WIDEST = {"index": 9_999, "count": 9_999}


@dataclass(frozen=True)
class _Reading:
    """What came of one part; `said` is the provider's error."""

    own: LineRanges
    elements: Elements = field(default_factory=Elements)
    calls: tuple[Call, ...] = ()
    failure: Fallback | None = None
    said: str = ""


class SubCall:
    """A retriever whose Selection says of each line what it is for (`why`). A page longer than the model's context is
    read in parts, at most `max_calls` of them; lines of parts that were not read are in `unread`.

    Raises ConfigError for model settings that can never work. Failures of the provider are fallbacks."""

    def __init__(self, model_args: Any, *, max_calls: int = MAX_CALLS, **client: Any) -> None:
        self.client = make_client(model_args, **client)
        self.budget = prompt_budget(self.client.endpoint)
        self.max_calls = max_calls
        self.secret = new_secret()

    def select(self, query: Query) -> Selection:
        numbers = lines_to_read(query.tree, query.within)
        asked = query.within.clip(len(query.tree)) if query.within is not None else LineRanges.all(len(query.tree))
        room = self.budget - estimate_tokens(_messages(query, (), WIDEST, self.secret))
        if room < LEAST_ROOM:
            return Selection(LineRanges(), "no room for a page", fallback=Fallback.CONTEXT_LENGTH)
        lines, costs = fit_lines(numbered_lines(query.tree), room // 4)
        parts = list(plan_parts(query.tree, numbers, costs, room))
        readings = list(self._read(query, parts, lines))
        return _selection(readings, asked)

    def _read(self, query: Query, parts: list[Part], lines: list[str]) -> Iterator[_Reading]:
        for index, part in enumerate(parts, 1):
            own = LineRanges.of_numbers(part.own)
            if index > self.max_calls:
                yield _Reading(own, failure=Fallback.CALL_CAP)
                continue
            position = {"index": index, "count": len(parts)} if len(parts) > 1 else None
            shown = tuple(lines[number - 1] for number in part.numbers)
            try:
                call = self.client.complete(_messages(query, shown, position, self.secret), label="sub-call")
            except ModelError as error:
                yield _Reading(own, calls=error.calls, failure=Fallback(error.failure.value), said=str(error))
                continue
            elements = read_elements(call.answer, query.tree, part.numbers)
            failure = None if elements.found else Fallback.UNREADABLE
            yield _Reading(own, elements, (call,), failure)


def _selection(readings: list[_Reading], asked: LineRanges) -> Selection:
    purposes = {n: text for reading in readings for n, text in reading.elements.purposes.items() if n in asked}
    failure = next((reading.failure for reading in readings if reading.failure), None)
    read = LineRanges().union(*(reading.own for reading in readings if not reading.failure))
    if not purposes and not failure:
        failure = Fallback.NOTHING_VALID
    return Selection(
        LineRanges.of_numbers(purposes),
        reasoning="\n".join(reading.said for reading in readings if reading.said),
        why=purposes,
        fallback=failure,
        calls=tuple(call for reading in readings for call in reading.calls),
        unread=asked.difference(read) if read and failure is not Fallback.NOTHING_VALID else LineRanges(),
        notes=tuple(f"rejected: {entry}" for reading in readings for entry in reading.elements.rejected),
    )


@lru_cache(maxsize=1)
def _templates() -> Environment:
    loader = PackageLoader("focusagent.retrieval.llm", "prompts")
    return Environment(loader=loader, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)


def _messages(query: Query, shown: tuple[str, ...], part: dict[str, int] | None, secret: str) -> list[Message]:
    page = "\n".join(shown)
    text = (
        _templates()
        .get_template("elements.j2")
        .render(
            goal=goal_text(query.goal, 4_000),
            last_action=inline(query.last_action, 500),
            error=inline(query.last_action_error, 500),
            part=part,
            fence=fence_for(page, query.goal, secret),
            page=page,
        )
    )
    system = _templates().get_template("elements_system.j2").render()
    return [{"role": "system", "content": system}, {"role": "user", "content": text}]
