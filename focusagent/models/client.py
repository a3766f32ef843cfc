"""Our chat client: one call of any model, with one retry layer, and its record.

The client reports to no tracker: whoever asked for the call does, from its own thread (`tracking.report`)."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from focusagent.models.cache import AnswerCache
from focusagent.models.call import Call
from focusagent.models.call_log import log
from focusagent.models.checks import check_model
from focusagent.models.endpoint import Endpoint
from focusagent.models.failure import NOT_BILLED, Failure, ModelError, model_error
from focusagent.models.habits import MOST_LESSONS, Habits, sent_by
from focusagent.models.paid import Paid, truncated
from focusagent.models.request import Message, Reply, Request, plain_messages
from focusagent.models.retry import Attempts, RetryPolicy
from focusagent.models.served import within_served
from focusagent.models.transports import make_transport

TIMEOUT = 300.0


class ChatClient:
    """Calls of one model; safe to use from several threads. Holds live handles: never a field of Args."""

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        timeout: float = TIMEOUT,
        retry: RetryPolicy | None = None,
        cache: AnswerCache | None = None,
    ) -> None:
        self.endpoint = endpoint
        self.retry = retry or RetryPolicy.from_environment()
        self.cache = cache
        self.transport = make_transport(endpoint, timeout)
        self.habits = Habits(tuple(self.transport.limit_names))

    def complete(
        self,
        messages: Iterable[Message],
        *,
        schema: Mapping[str, Any] | None = None,
        temperature: float | None = None,
        label: str = "",
    ) -> Call:
        """One answered call. Raises ModelError, its `call` set, once the retries are spent or none can help."""
        endpoint = self.endpoint
        chosen = endpoint.temperature if temperature is None else temperature
        request = Request(plain_messages(messages), chosen, endpoint.max_new, schema)
        if self.cache and (known := self.cache.get(endpoint, request)):
            return _replayed(known, request, label)
        record = _Record(endpoint, request, label)
        try:
            reply = record.attempts.run(lambda: self._adapted(request, record.attempts), self.retry)
        except ModelError as error:
            error.call = record.failed(error)
            log(error.call)
            raise
        call = record.answered(reply)
        log(call)
        if self.cache:
            self.cache.put(endpoint, request, call)
        return call

    def _adapted(self, request: Request, attempts: Attempts) -> Reply:
        """One attempt, sent again for as long as the model's errors teach how it wants to be asked."""
        tried = self.habits.apply(request)
        for _ in range(MOST_LESSONS):
            try:
                return self._once(tried)
            except Exception as raised:
                error = model_error(raised, sent_by(tried))
                following = self.habits.learn(error.verdict, tried) if error.verdict else None
                if following is None:
                    raise error from raised
                tried = following
                attempts.retries += 1
        return self._once(tried)

    def _once(self, request: Request) -> Reply:
        try:
            reply = self.transport.send(request)
        except Exception as raised:
            raise model_error(raised, sent_by(request)) from raised
        if told := truncated(self.endpoint, request, reply):
            read = reply.usage.input if reply.usage else None
            raise ModelError(Failure.CONTEXT_LENGTH, told, limit=read, usage=reply.usage)
        return reply


def make_client(model: Any, **settings: Any) -> ChatClient:
    """The client of AgentLab Args or of a model's name, within what its server says that it holds.

    Raises ConfigError for what can never work."""
    return ChatClient(within_served(check_model(model)), **settings)


@dataclass
class _Record:
    """What a call took, up to now."""

    endpoint: Endpoint
    request: Request
    label: str
    attempts: Attempts = field(default_factory=Attempts)
    started: float = field(default_factory=time.perf_counter)

    def answered(self, reply: Reply) -> Call:
        paid = Paid.of(self.endpoint, self.request, reply).plus(self._lost())
        return self._call(paid, answer=reply.text, reasoning=reply.reasoning)

    def failed(self, error: ModelError) -> Call:
        """What the provider turned down is not billed; what it did answer, or may have answered, is."""
        billed = 0.0 if error.failure in NOT_BILLED and error.usage is None else None
        lost = self._lost()
        # The last attempt's usage, where it had any, is among those that the attempts have noted.
        return self._call(lost if error.usage is not None else Paid(cost=billed).plus(lost), error=str(error))

    def _lost(self) -> Paid:
        """What attempts without an answer have used."""
        lost = Paid(cost=0.0)
        for usage in self.attempts.used:
            lost = lost.plus(Paid.of(self.endpoint, self.request, Reply("", usage=usage)))
        return lost

    def _call(self, paid: Paid, **more: Any) -> Call:
        return Call(
            model=self.endpoint.model,
            messages=self.request.messages,  # type: ignore[arg-type]
            input_tokens=paid.input,
            output_tokens=paid.output,
            cached_tokens=paid.cached,
            cost=paid.cost,
            estimated=paid.estimated,
            seconds=time.perf_counter() - self.started,
            retries=self.attempts.retries,
            label=self.label,
            **more,
        )


def _replayed(call: Call, request: Request, label: str) -> Call:
    """A call answered from the cache costs nothing now; its tokens are those of the first time."""
    return Call(
        model=call.model,
        messages=request.messages,  # type: ignore[arg-type]
        answer=call.answer,
        input_tokens=call.input_tokens,
        output_tokens=call.output_tokens,
        cached_tokens=call.cached_tokens,
        cost=0.0,
        estimated=call.estimated,
        reasoning=call.reasoning,
        label=f"{label} (from the cache)".strip(),
    )
