"""Our chat client: one call of any model, with one retry layer, and its record.

The client reports to no tracker: whoever asked for the call does, from its own thread (`tracking.report`)."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import Any

from focusagent.models.cache import AnswerCache
from focusagent.models.call import Call
from focusagent.models.checks import check_model
from focusagent.models.endpoint import Endpoint
from focusagent.models.failure import Failure, ModelError
from focusagent.models.request import Message, Reply, Request, Usage, estimate_tokens, plain_messages
from focusagent.models.retry import Attempts, RetryPolicy
from focusagent.models.tokens import count_tokens
from focusagent.models.transports import make_transport

TIMEOUT = 300.0
_NOT_BILLED = frozenset(
    {Failure.AUTH, Failure.BAD_REQUEST, Failure.CONTEXT_LENGTH, Failure.RATE_LIMITED, Failure.REFUSED}
)


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
        started, attempts = time.perf_counter(), Attempts()
        try:
            reply = attempts.run(lambda: self.transport.send(request), self.retry)
        except ModelError as error:
            error.call = _failed(endpoint, request, error, attempts.retries, time.perf_counter() - started, label)
            raise
        call = _answered(endpoint, request, reply, attempts.retries, time.perf_counter() - started, label)
        if self.cache:
            self.cache.put(endpoint, request, call)
        return call


def make_client(model: Any, **settings: Any) -> ChatClient:
    """The client of AgentLab Args or of a model's name. Raises ConfigError for what can never work."""
    return ChatClient(check_model(model), **settings)


def _answered(endpoint: Endpoint, request: Request, reply: Reply, retries: int, seconds: float, label: str) -> Call:
    usage = reply.usage
    known = usage or Usage(estimate_tokens(request.messages), count_tokens(reply.text + reply.reasoning))
    return Call(
        model=endpoint.model,
        messages=request.messages,  # type: ignore[arg-type]
        answer=reply.text,
        input_tokens=known.input,
        output_tokens=known.output,
        cached_tokens=known.cached,
        cost=_cost(endpoint, usage),
        seconds=seconds,
        retries=retries,
        estimated=usage is None,
        reasoning=reply.reasoning,
        label=label,
    )


def _cost(endpoint: Endpoint, usage: Usage | None) -> float | None:
    """What was not measured has no cost, not a cost of 0."""
    if usage is None:
        return None
    if usage.cost is not None:
        return float(usage.cost)
    if endpoint.prices is None:
        return None
    return endpoint.prices.cost(usage.input, usage.output, usage.cached, usage.written)


def _failed(endpoint: Endpoint, request: Request, error: ModelError, retries: int, seconds: float, label: str) -> Call:
    return Call(
        model=endpoint.model,
        messages=request.messages,  # type: ignore[arg-type]
        cost=0.0 if error.failure in _NOT_BILLED else None,
        seconds=seconds,
        retries=retries,
        error=str(error),
        label=label,
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
