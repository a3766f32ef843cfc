"""Why a call failed, read from whatever the provider's client raised: one vocabulary for every provider."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import StrEnum
from typing import Any

from focusagent.errors import UserError
from focusagent.models.call import Call

_MAX_MESSAGE = 300
_CONTEXT = re.compile(r"context.?(?:length|window|size)|prompt is too long|too many tokens|maximum.{0,20}tokens", re.I)
_FILTER = re.compile(r"content.?filter|content.?management.?policy|content.?policy|jailbreak|safety.?system", re.I)
_LIMIT = re.compile(
    r"(?:context (?:length|size|window)[^0-9]{0,40}|\bn_ctx\W{1,4}|maximum of |> )(\d{3,8})|\b(\d{3,8}) maximum", re.I
)


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


class ConfigError(UserError, ValueError):
    """A setting that can never work: an unknown model, no key, a completion larger than the context."""


class ModelError(Exception):
    """A call without a usable answer. `retry_after` is in seconds, None where the provider does not say; `limit` is
    the context in tokens that a CONTEXT_LENGTH error names; `call` is set by the client once it gives up."""

    def __init__(
        self,
        failure: Failure,
        message: str,
        *,
        retry_after: float | None = None,
        limit: int | None = None,
        passing: bool | None = None,
    ) -> None:
        super().__init__(f"{failure}: {one_line(message)}")
        self.failure = failure
        self.retry_after = retry_after
        self.limit = limit
        self.passing = failure in PASSING if passing is None else passing
        self.call: Call | None = None


def one_line(text: str) -> str:
    """The text as one short line, safe to print and to store."""
    flat = " ".join(text.encode("utf-8", "replace").decode().split())
    return flat if len(flat) <= _MAX_MESSAGE else flat[:_MAX_MESSAGE] + "…"


def model_error(error: Exception) -> ModelError:
    """Read an exception of the openai, anthropic or litellm client. The three share class names and attributes, so
    none of them has to be imported."""
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
        return _by_status(status, message, _details(error), _headers(error))
    return ModelError(Failure.ERROR, f"{type(error).__name__}: {message}")


def _by_status(status: int, message: str, details: str, headers: Mapping[str, str]) -> ModelError:
    text = f"{message} {details}"
    if status == 429:
        spent = "insufficient_quota" in text
        return ModelError(Failure.RATE_LIMITED, message, retry_after=_retry_after(headers), passing=not spent)
    if status in (401, 403):
        return ModelError(Failure.AUTH, message)
    if status == 408:
        return ModelError(Failure.TIMEOUT, message)
    if status >= 500:
        return ModelError(Failure.SERVER_ERROR, message, retry_after=_retry_after(headers))
    if _FILTER.search(text):
        return ModelError(Failure.REFUSED, message)
    if status == 413 or _CONTEXT.search(text):
        return ModelError(Failure.CONTEXT_LENGTH, message, limit=_limit(text))
    return ModelError(Failure.BAD_REQUEST, message)


def _details(error: Exception) -> str:
    body = getattr(error, "body", None)
    return f"{getattr(error, 'code', '') or ''} {body if body is not None else ''}"


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


def _limit(text: str) -> int | None:
    found = _LIMIT.search(text)
    return int(found[1] or found[2]) if found else None
