"""What one model at one address has turned out to take: learnt from its errors, applied to every later request."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from focusagent.models.dialects import Option, Sent, Verdict
from focusagent.models.request import Message, Request, estimate_tokens, text_of

LEAST_COMPLETION = 256
MARGIN = 64
# Our count of a prompt is an estimate: for another tokenizer it may be a quarter too low.
CAUTION = 1.25
# A call may teach at most so many things; what still fails then is the call's failure.
MOST_LESSONS = 6


@dataclass
class Habits:
    """Shared by all threads that call the model. `limit_names` are the names of the completion's limit, in the order in
    which they are tried."""

    limit_names: tuple[str, ...] = ("max_tokens",)
    refused: set[Option] = field(default_factory=set)
    refused_names: set[str] = field(default_factory=set)
    system_in_user: bool = False
    completion: int | None = None
    context: int | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)

    def apply(self, request: Request) -> Request:
        """The request as this model takes it."""
        with self.lock:
            names = [name for name in self.limit_names if name not in self.refused_names]
            refused, folded = set(self.refused), self.system_in_user
            completion, context = self.completion, self.context
        limit = request.max_tokens
        if limit is not None and completion is not None:
            limit = min(limit, completion)
        if limit is not None and context is not None:
            limit = max(LEAST_COMPLETION, min(limit, context - _estimated(request)))
        return replace(
            request,
            messages=fold_system(request.messages) if folded else request.messages,
            temperature=None if "temperature" in refused else request.temperature,
            schema=None if "schema" in refused else request.schema,
            max_tokens=None if "limit" in refused or not names else limit,
            limit_name=names[0] if names else "",
        )

    def learn(self, verdict: Verdict, tried: Request) -> Request | None:
        """The request to try next, None where nothing can be changed. `tried` is what failed, as `apply` gave it.

        Whether somebody else has learnt the same in between does not matter: what was tried decides."""
        match verdict.kind:
            case "renamed" if verdict.option == "limit" and tried.max_tokens is not None:
                return self._renamed(tried, verdict.to)
            case "refused" if verdict.option == "limit" and tried.max_tokens is not None:
                return self._renamed(tried, "")
            case "refused" if verdict.option in sent_by(tried).options:
                with self.lock:
                    self.refused.add(verdict.option)
                return (
                    replace(tried, temperature=None) if verdict.option == "temperature" else replace(tried, schema=None)
                )
            case "system_role" if any(message["role"] == "system" for message in tried.messages):
                with self.lock:
                    self.system_in_user = True
                return replace(tried, messages=fold_system(tried.messages))
            case "completion" if verdict.limit and tried.max_tokens and verdict.limit < tried.max_tokens:
                with self.lock:
                    self.completion = min(verdict.limit, self.completion or verdict.limit)
                return replace(tried, max_tokens=verdict.limit)
            case "context" | "rate_size":
                return self._shorter(verdict, tried)
        return None

    def _renamed(self, tried: Request, to: str) -> Request | None:
        """Under the name that the error gives, else under the next one that was not refused, else not at all."""
        with self.lock:
            self.refused_names.add(tried.limit_name)
            if to and to not in self.limit_names:
                self.limit_names = (*self.limit_names, to)
            left = [name for name in self.limit_names if name not in self.refused_names]
        if to and to != tried.limit_name:
            return replace(tried, limit_name=to)
        return replace(tried, limit_name=left[0]) if left else replace(tried, max_tokens=None)

    def _shorter(self, verdict: Verdict, tried: Request) -> Request | None:
        """A smaller completion, where the prompt alone seems to fit."""
        if tried.max_tokens is None:
            return None
        if verdict.limit is None:
            # Nothing is named: one try with a quarter, but not for a completion that is small already.
            quarter = tried.max_tokens // 4
            return replace(tried, max_tokens=quarter) if quarter >= 4 * LEAST_COMPLETION else None
        room = verdict.limit - MARGIN - (verdict.input or _estimated(tried))
        if room < LEAST_COMPLETION or room >= tried.max_tokens:
            return None
        if verdict.kind == "context":
            with self.lock:
                self.context = min(verdict.limit, self.context or verdict.limit)
        return replace(tried, max_tokens=room)


def sent_by(request: Request) -> Sent:
    """The options that a request sets."""
    values: Mapping[Option, Any] = {
        "temperature": request.temperature,
        "schema": request.schema,
        "limit": request.max_tokens,
    }
    return Sent(frozenset(name for name, value in values.items() if value is not None), request.max_tokens)


def fold_system(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """The same conversation without a system's turn: its text stands before that of the first user's turn."""
    system = "\n\n".join(text_of(message["content"]) for message in messages if message["role"] == "system")
    turns = [dict(message) for message in messages if message["role"] != "system"]
    if not system:
        return tuple(turns)
    first = next((turn for turn in turns if turn["role"] == "user"), None)
    if first is None:
        return ({"role": "user", "content": system}, *turns)
    content = first["content"]
    first["content"] = (
        f"{system}\n\n{content}" if isinstance(content, str) else [{"type": "text", "text": system}, *content]
    )
    return tuple(turns)


def _estimated(request: Request) -> int:
    return int(CAUTION * estimate_tokens(request.messages)) + MARGIN
