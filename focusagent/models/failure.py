"""Why a call failed, read from whatever the provider's client raised: one vocabulary for every provider."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import StrEnum
from typing import Any

from focusagent.errors import UserError
from focusagent.models.call import Call
from focusagent.models.dialects import Sent, Verdict, read_wording, told
from focusagent.models.request import Usage

_MAX_MESSAGE = 300


class Failure(StrEnum):
    """The values are those of `retrieval.Fallback`, which adds the reasons that only a retriever has."""

    REFUSED = "refused"
    RATE_LIMITED = "rate_limited"
    TIMEOUT = "timeout"
    CONTEXT_LENGTH = "context_length"
    AUTH = "auth"
    SERVER_ERROR = "server_error"
    CONNECTION = "connection"
    BAD_REQUEST = "bad_request"
    EMPTY_ANSWER = "empty_answer"
    ERROR = "error"


PASSING = frozenset(
    {Failure.RATE_LIMITED, Failure.TIMEOUT, Failure.SERVER_ERROR, Failure.CONNECTION, Failure.EMPTY_ANSWER}
)


# What a provider turns down without having run the model.
NOT_BILLED = frozenset(
    {Failure.AUTH, Failure.BAD_REQUEST, Failure.CONTEXT_LENGTH, Failure.RATE_LIMITED, Failure.REFUSED}
)


class ConfigError(UserError, ValueError):
    """A setting that can never work: an unknown model, no key, a completion larger than the context."""


class ModelError(Exception):
    """A call without a usable answer. `retry_after` is in seconds, None where the provider does not say; `limit` is
    the context in tokens that a CONTEXT_LENGTH error names; `verdict` is what the wording means, where it is known;
    `usage` is what a reply without an answer has used. `call` is set by the client once it gives up, and `paid` by who
    makes several calls: those that were answered before this one."""

    def __init__(
        self,
        failure: Failure,
        message: str,
        *,
        retry_after: float | None = None,
        limit: int | None = None,
        passing: bool | None = None,
        verdict: Verdict | None = None,
        usage: Usage | None = None,
    ) -> None:
        super().__init__(f"{failure}: {one_line(message)}")
        self.failure = failure
        self.retry_after = retry_after
        self.limit = limit
        self.passing = failure in PASSING if passing is None else passing
        self.verdict = verdict
        self.usage = usage
        self.call: Call | None = None
        self.paid: tuple[Call, ...] = ()

    @property
    def calls(self) -> tuple[Call, ...]:
        """All calls that led here."""
        return (*self.paid, self.call) if self.call else self.paid


def one_line(text: str) -> str:
    """The text as one short line, safe to print and to store."""
    flat = " ".join(text.encode("utf-8", "replace").decode().split())
    return flat if len(flat) <= _MAX_MESSAGE else flat[:_MAX_MESSAGE] + "…"


def model_error(error: Exception, sent: Sent | None = None) -> ModelError:
    """Read an exception of the openai, anthropic or litellm client; `sent` are the options of the attempt. The three
    share class names and attributes, so none of them has to be imported."""
    if isinstance(error, ModelError):
        return error
    status = getattr(error, "status_code", None)
    message = str(error) or type(error).__name__
    names = {kind.__name__ for kind in type(error).__mro__}
    if names & {"APITimeoutError", "Timeout", "TimeoutError", "TimeoutException"}:
        return ModelError(Failure.TIMEOUT, message)
    if names & {"APIConnectionError", "ConnectionError", "TransportError"}:
        return ModelError(Failure.CONNECTION, message)
    if isinstance(status, int):
        words = told(getattr(error, "body", None), f"{message} {getattr(error, 'code', '') or ''}")
        return _by_status(status, message, read_wording(status, words, sent or Sent()), _headers(error))
    return ModelError(Failure.ERROR, f"{type(error).__name__}: {message}")


def _by_status(status: int, message: str, verdict: Verdict | None, headers: Mapping[str, str]) -> ModelError:
    """By what the provider says where that is understood, else by the status alone."""
    match verdict.kind if verdict else None:
        case "filter":
            return ModelError(Failure.REFUSED, message)
        case "quota":
            return ModelError(Failure.RATE_LIMITED, message, passing=False)
        case "context" | "rate_size":
            limit = verdict.limit if verdict else None
            return ModelError(Failure.CONTEXT_LENGTH, message, limit=limit, verdict=verdict)
        case "completion" | "renamed" | "refused" | "system_role":
            return ModelError(Failure.BAD_REQUEST, message, verdict=verdict)
    if status == 429:
        return ModelError(Failure.RATE_LIMITED, message, retry_after=_retry_after(headers))
    if status in (401, 403):
        return ModelError(Failure.AUTH, message)
    if status == 402:
        return ModelError(Failure.RATE_LIMITED, message, passing=False)
    if status == 408:
        return ModelError(Failure.TIMEOUT, message)
    if status >= 500:
        return ModelError(Failure.SERVER_ERROR, message, retry_after=_retry_after(headers))
    if status == 413:
        return ModelError(Failure.CONTEXT_LENGTH, message)
    return ModelError(Failure.BAD_REQUEST, message)


def _headers(error: Exception) -> Mapping[str, str]:
    response: Any = getattr(error, "response", None)
    headers: Mapping[str, str] = getattr(response, "headers", None) or getattr(error, "headers", None) or {}
    return headers


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds from `Retry-After`, which is a number or a date."""
    value = headers.get("retry-after", "").strip()
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return None
