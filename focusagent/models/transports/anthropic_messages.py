"""Anthropic's messages: system text apart, images by source, a limit of the completion that must be given."""

from __future__ import annotations

import re
from typing import Any

from focusagent.models.budget import UNKNOWN_COMPLETION
from focusagent.models.endpoint import Endpoint
from focusagent.models.failure import Failure, ModelError
from focusagent.models.request import Message, Reply, Request, Usage, text_of
from focusagent.models.transports.options import Options

_DATA_URL = re.compile(r"data:(image/[\w.+-]+);base64,(.*)", re.DOTALL)


class AnthropicMessages:
    def __init__(self, endpoint: Endpoint, timeout: float) -> None:
        import anthropic

        self.endpoint = endpoint
        self.options = Options(("temperature",))
        self.client = anthropic.Anthropic(
            api_key=endpoint.key or None,
            base_url=endpoint.address or None,
            timeout=timeout,
            max_retries=0,
        )

    def send(self, request: Request) -> Reply:
        return self.options.send(lambda: self._once(request))

    def _once(self, request: Request) -> Reply:
        system = "\n\n".join(text_of(m["content"]) for m in request.messages if m["role"] == "system")
        parameters: dict[str, Any] = {
            "model": self.endpoint.model,
            "max_tokens": request.max_tokens or UNKNOWN_COMPLETION,
            "messages": [_message(m) for m in request.messages if m["role"] != "system"],
            **({"system": system} if system else {}),
            **self.options.allow({"temperature": request.temperature}),
        }
        return _read(self.client.messages.create(**parameters))


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


def _read(message: Any) -> Reply:
    if not hasattr(message, "model_dump"):
        raise ModelError(Failure.SERVER_ERROR, f"not a message: {str(message)[:80]!r}")
    data = message.model_dump(warnings=False)
    if data.get("stop_reason") == "refusal":
        raise ModelError(Failure.REFUSED, "the model refused")
    blocks = data.get("content")
    if not blocks:
        raise ModelError(Failure.EMPTY_ANSWER, "no content in the reply")
    thinking = "\n".join(str(block.get("thinking") or "") for block in blocks if block.get("type") == "thinking")
    return Reply(text_of([block for block in blocks if block.get("type") == "text"]), thinking, _usage(data["usage"]))


def _usage(usage: Any) -> Usage | None:
    if not isinstance(usage, dict) or usage.get("input_tokens") is None:
        return None
    cached, written = (int(usage.get(f"cache_{kind}_input_tokens") or 0) for kind in ("read", "creation"))
    total = int(usage["input_tokens"]) + cached + written
    return Usage(total, int(usage.get("output_tokens") or 0), cached, written)
