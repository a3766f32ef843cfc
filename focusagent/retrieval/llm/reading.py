"""One part of a page put to the model: the call, one repair turn, halving where the model finds the part too long."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from focusagent.axtree import AxTree, LineRanges
from focusagent.models.call import Call
from focusagent.models.client import ChatClient
from focusagent.models.failure import Failure, ModelError
from focusagent.models.request import estimate_tokens
from focusagent.retrieval.base import Fallback
from focusagent.retrieval.llm.answers import Answer, parse_answer
from focusagent.retrieval.llm.page_text import inline
from focusagent.retrieval.llm.parts import Part, plan_parts
from focusagent.retrieval.llm.prompting import Message, PromptOptions, answer_schema, render_repair

_REPAIR_CHARACTERS = 300
_MAX_HALVINGS = 2
_LASTING = frozenset(
    {
        Fallback.AUTH,
        Fallback.BAD_REQUEST,
        Fallback.CONNECTION,
        Fallback.ERROR,
        Fallback.RATE_LIMITED,
        Fallback.SERVER_ERROR,
        Fallback.TIMEOUT,
    }
)


@dataclass(frozen=True)
class Reading:
    """What came of one part. `own` are the lines that were put to the model; with a `failure` none of them was read."""

    own: LineRanges
    answer: Answer = Answer()
    calls: tuple[Call, ...] = ()
    failure: Fallback | None = None


class Allowance:
    """The calls that one page may take, shared by threads; once the provider is down for good, none."""

    def __init__(self, calls: int) -> None:
        self._left = calls
        self._lock = threading.Lock()
        self._down: Fallback | None = None

    def take(self) -> Fallback | None:
        """None if a call may be made, else why not."""
        with self._lock:
            if self._down or self._left <= 0:
                return self._down or Fallback.CALL_CAP
            self._left -= 1
            return None

    def stop(self, failure: Fallback) -> None:
        with self._lock:
            self._down = self._down or failure


@dataclass(frozen=True)
class PartReader:
    """Reads the parts of one page. Only a whole page in one prompt needs a choice that is not empty."""

    client: ChatClient
    options: PromptOptions
    tree: AxTree
    costs: Sequence[int]
    prompt: Callable[[Part], list[Message]]
    allowance: Allowance
    may_be_empty: bool

    def read(self, part: Part, label: str = "", halvings: int = 0) -> list[Reading]:
        """The reading of the part; several, where the model found it too long and it was cut again."""
        messages = self.prompt(part)
        calls: list[Call] = []
        try:
            answer = self._ask(messages, part, label, calls, may_be_empty=self.may_be_empty or halvings > 0)
        except _NotAsked as refused:
            return [Reading(_own(part), calls=tuple(calls), failure=refused.why)]
        except ModelError as error:
            calls += error.calls
            if error.failure == Failure.CONTEXT_LENGTH and halvings < _MAX_HALVINGS and len(part.own) > 1:
                first, *others = self._smaller(part, messages, error, label, halvings)
                return [replace(first, calls=(*calls, *first.calls)), *others]
            return [self._failed(part, error, tuple(calls))]
        return [Reading(_own(part), answer, tuple(calls), answer.problem)]

    def _ask(self, messages: list[Message], part: Part, label: str, calls: list[Call], may_be_empty: bool) -> Answer:
        answer = _judge(self._answer(messages, part, label, calls), may_be_empty)
        if not answer.problem:
            return answer
        said = inline(calls[-1].answer, _REPAIR_CHARACTERS) or "(nothing)"
        problem = render_repair(self.options, answer.wrong, part.first, part.last)
        turn = [{"role": "assistant", "content": said}, {"role": "user", "content": problem}]
        try:
            again = _judge(self._answer([*messages, *turn], part, f"{label} repair".strip(), calls), may_be_empty)
        except _NotAsked:
            return answer
        return again if not again.problem else replace(answer, reasoning=f"{answer.reasoning}\n{again.reasoning}")

    def _answer(self, messages: list[Message], part: Part, label: str, calls: list[Call]) -> Answer:
        if why := self.allowance.take():
            raise _NotAsked(why)
        call = self.client.complete(messages, schema=answer_schema(self.options), label=label)
        calls.append(call)
        answer = parse_answer(call.answer, LineRanges.of_numbers(part.numbers))
        if call.reasoning:
            answer = replace(answer, reasoning=f"{call.reasoning}\n{answer.reasoning}".strip())
        return answer

    def _smaller(
        self, part: Part, messages: list[Message], error: ModelError, label: str, halvings: int
    ) -> list[Reading]:
        """The part cut to half, or to what fits the limit that the provider named."""
        share = min(0.5, 0.7 * error.limit / max(1, estimate_tokens(messages))) if error.limit else 0.5
        budget = int(share * sum(self.costs[number - 1] for number in part.numbers))
        readings = []
        for smaller in plan_parts(self.tree, part.own, self.costs, budget):
            readings += self.read(smaller, f"{label} cut".strip(), halvings + 1)
        return readings

    def _failed(self, part: Part, error: ModelError, calls: tuple[Call, ...]) -> Reading:
        failure = Fallback(error.failure.value)
        if failure in _LASTING:
            self.allowance.stop(failure)
        return Reading(_own(part), Answer(reasoning=str(error)), calls, failure)


def _judge(answer: Answer, may_be_empty: bool) -> Answer:
    """A whole page needs a choice; a part of one may hold nothing that matters."""
    if not may_be_empty and not answer.problem and not answer.ranges:
        wrong = "it chooses no line, which would leave the agent blind."
        return replace(answer, problem=Fallback.NOTHING_VALID, wrong=wrong)
    if may_be_empty and answer.problem == Fallback.NOTHING_VALID:
        return replace(answer, problem=None, wrong="")
    return answer


class _NotAsked(Exception):
    """No call was made, because none is left or the provider is down."""

    def __init__(self, why: Fallback) -> None:
        super().__init__(str(why))
        self.why = why


def _own(part: Part) -> LineRanges:
    return LineRanges.of_numbers(part.own)
