"""One call as every provider understands it, and what came back, whatever the provider calls it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from focusagent.models.tokens import count_tokens

Message = Mapping[str, Any]
IMAGE_TOKENS = 1_500
_TEXTS = ("text", "input_text", "output_text")


@dataclass(frozen=True)
class Request:
    """`messages` are in OpenAI's form; `schema` is a JSON schema that the answer must follow, where the provider can
    hold it to one; `temperature` None leaves the provider's own; `limit_name` is what the completion's limit is called
    where a protocol knows two names."""

    messages: tuple[Message, ...]
    temperature: float | None = None
    max_tokens: int | None = None
    schema: Mapping[str, Any] | None = None
    limit_name: str = "max_tokens"


@dataclass(frozen=True)
class Usage:
    """Tokens of one call, None where the provider's own figure is missing or none. `input` includes those read from the
    provider's cache (`cached`) and those written to it; `cost` is in dollars where the provider itself tells it."""

    input: int | None
    output: int | None
    cached: int = 0
    written: int = 0
    cost: float | None = None


@dataclass(frozen=True)
class Reply:
    """`usage` is None where the provider reports none; `reasoning` is what it reports apart from the answer."""

    text: str
    reasoning: str = ""
    usage: Usage | None = None


class Transport(Protocol):
    limit_names: tuple[str, ...]

    def send(self, request: Request) -> Reply:
        """One attempt, without retries. Raises whatever the provider's client raises, or ModelError."""
        ...


def plain_messages(messages: Iterable[Message]) -> tuple[dict[str, Any], ...]:
    """Role and content of each message as plain data that encodes as UTF-8; adjacent text parts are joined."""
    return tuple({"role": str(message["role"]), "content": _content(message.get("content"))} for message in messages)


def _content(content: Any) -> str | list[dict[str, Any]]:
    if not isinstance(content, Sequence) or isinstance(content, str) or all(_is_text(part) for part in content):
        return text_of(content)
    return [{"type": "text", "text": text_of([part])} if _is_text(part) else dict(part) for part in content]


def _is_text(part: Any) -> bool:
    return isinstance(part, str) or (isinstance(part, Mapping) and part.get("type") in _TEXTS)


def text_of(content: Any) -> str:
    """The text of a message whose content is a string, parts, or nothing."""
    if isinstance(content, str):
        return content.encode("utf-8", "replace").decode()
    if not isinstance(content, Iterable) or isinstance(content, Mapping):
        return ""
    texts = [part if isinstance(part, str) else str(part.get("text") or "") for part in content if _is_text(part)]
    return "\n".join(texts).encode("utf-8", "replace").decode()


def estimate_tokens(messages: Iterable[Message]) -> int:
    """Tokens of a prompt by our own count: an estimate for every tokenizer but o200k_base, and for images."""
    return sum(
        4 + count_tokens(text_of(message["content"])) + IMAGE_TOKENS * _images(message["content"])
        for message in messages
    )


def count_images(messages: Iterable[Message]) -> int:
    return sum(_images(message["content"]) for message in messages)


def _images(content: Any) -> int:
    return 0 if isinstance(content, str) else sum(1 for part in content if not _is_text(part))
