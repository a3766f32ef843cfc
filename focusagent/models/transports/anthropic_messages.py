"""Anthropic's messages: system text apart, images by source, a limit of the completion that must be given."""

from __future__ import annotations

import re
from typing import Any

from focusagent.models.budget import UNKNOWN_COMPLETION
from focusagent.models.endpoint import Endpoint
from focusagent.models.failure import Failure, ModelError
from focusagent.models.figures import field, whole
from focusagent.models.request import Message, Reply, Request, Usage, text_of
from focusagent.models.transports.openai_chat import json_object

_DATA_URL = re.compile(r"data:(image/[\w.+-]+);base64,(.*)", re.DOTALL)


class AnthropicMessages:
    limit_names: tuple[str, ...] = ("max_tokens",)

    def __init__(self, endpoint: Endpoint, timeout: float) -> None:
        import anthropic

        self.endpoint = endpoint
        self.client = anthropic.Anthropic(
            api_key=endpoint.key or None,
            base_url=endpoint.address or None,
            timeout=timeout,
            max_retries=0,
        )

    def send(self, request: Request) -> Reply:
        """Reads the reply's own text: the client's classes fail on fields of other kinds than they expect."""
        system = "\n\n".join(text_of(m["content"]) for m in request.messages if m["role"] == "system")
        parameters: dict[str, Any] = {
            "model": self.endpoint.model,
            "max_tokens": request.max_tokens or UNKNOWN_COMPLETION,
            "messages": [_message(m) for m in request.messages if m["role"] != "system"],
            **({"system": system} if system else {}),
            **({"temperature": request.temperature} if request.temperature is not None else {}),
        }
        return _read(json_object(self.client.messages.with_raw_response.create(**parameters).text))


def _message(message: Message) -> dict[str, Any]:
    content = message["content"]
    parts = content if isinstance(content, str) else [_part(part) for part in content]
    return {"role": message["role"], "content": parts}


def _part(part: dict[str, Any]) -> dict[str, Any]:
    if part.get("type") != "image_url":
        return part
    image = part["image_url"]
    url = image if isinstance(image, str) else image["url"]
    data = _DATA_URL.fullmatch(url)
    source = {"type": "base64", "media_type": data[1], "data": data[2]} if data else {"type": "url", "url": url}
    return {"type": "image", "source": source}


def _read(data: dict[str, Any]) -> Reply:
    usage = _usage(data.get("usage"))
    if data.get("stop_reason") == "refusal":
        raise ModelError(Failure.REFUSED, "the model refused", usage=usage)
    content = data.get("content")
    blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    text = text_of([block for block in blocks if block.get("type") == "text"])
    thinking = "\n".join(text_of(block.get("thinking")) for block in blocks if block.get("type") == "thinking")
    if not blocks:
        raise ModelError(Failure.EMPTY_ANSWER, "no content in the reply", usage=usage)
    if not text.strip() and data.get("stop_reason") != "max_tokens":
        return Reply(thinking, usage=usage)
    return Reply(text, thinking, usage)


def _usage(usage: object) -> Usage | None:
    fresh, output = whole(field(usage, "input_tokens")), whole(field(usage, "output_tokens"))
    cached, written = (whole(field(usage, f"cache_{kind}_input_tokens")) or 0 for kind in ("read", "creation"))
    total = None if fresh is None else fresh + cached + written
    return Usage(total or None, output, cached, written) if total or output else None
