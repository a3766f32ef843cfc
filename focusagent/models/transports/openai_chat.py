"""Chat completions: OpenAI, Azure, OpenRouter and every server that speaks their protocol (vLLM, llama.cpp, Ollama)."""

from __future__ import annotations

import json
from typing import Any

from focusagent.models.catalog import takes_temperature
from focusagent.models.endpoint import Endpoint
from focusagent.models.failure import Failure, ModelError
from focusagent.models.figures import dollars, field, whole
from focusagent.models.request import Reply, Request, Usage, text_of

_NO_KEY = "none"
# How a reply ends that was not cut off.
_NORMAL = (None, "", "stop", "eos", "end_turn", "complete", "stop_sequence")


class OpenAIChat:
    """OpenAI's own models take `max_completion_tokens` only; other servers may know only the older name."""

    def __init__(self, endpoint: Endpoint, timeout: float) -> None:
        import openai

        self.endpoint = endpoint
        self.reasons = not takes_temperature(endpoint.model)
        newer = self.reasons or endpoint.official or endpoint.provider == "azure"
        names = ("max_completion_tokens", "max_tokens")
        self.limit_names: tuple[str, ...] = names if newer else names[::-1]
        self.client = openai.OpenAI(
            api_key=endpoint.key or _NO_KEY,
            base_url=endpoint.address or None,
            default_query={"api-version": "preview"} if endpoint.provider == "azure" else None,
            timeout=timeout,
            max_retries=0,
        )

    def send(self, request: Request) -> Reply:
        """Reads the reply's own text: the client's classes fail on fields of other kinds than they expect."""
        options: dict[str, Any] = {
            request.limit_name: request.max_tokens,
            "temperature": None if self.reasons else request.temperature,
            "response_format": json_schema_format(request),
            "extra_body": {"usage": {"include": True}} if self.endpoint.provider == "openrouter" else None,
        }
        reply = self.client.chat.completions.with_raw_response.create(
            model=self.endpoint.model,
            messages=list(request.messages),  # type: ignore[arg-type]
            **{name: value for name, value in options.items() if value is not None},
        )
        return read_completion(json_object(reply.text))


def json_schema_format(request: Request) -> dict[str, Any] | None:
    if request.schema is None:
        return None
    return {"type": "json_schema", "json_schema": {"name": "selection", "strict": True, "schema": request.schema}}


def json_object(text: str) -> dict[str, Any]:
    """The object that a reply is. Raises ModelError where it is none, such as the page of a gateway."""
    try:
        data = json.loads(text, parse_int=_int)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise ModelError(Failure.SERVER_ERROR, f"not a reply: {text[:80]!r}")
    return data


def _int(digits: str) -> int | float:
    """Python refuses to read an integer of thousands of digits."""
    return int(digits) if len(digits) < 100 else float(digits)


def read_completion(data: dict[str, Any]) -> Reply:
    """A chat completion as a Reply. Raises ModelError, with what it has cost, where it holds no answer."""
    usage = read_usage(data.get("usage"))
    choices = data.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = field(choice, "message")
    if not isinstance(message, dict):
        error = data.get("error")
        told = f"no choices in the reply{f': {str(error)[:200]}' if error else ''}"
        raise ModelError(Failure.EMPTY_ANSWER, told, usage=usage)
    finish, refusal = field(choice, "finish_reason"), message.get("refusal")
    text = text_of(message.get("content"))
    # A refusal is a text of its own; anything else in its field is noise beside an answer.
    if finish == "content_filter" or (isinstance(refusal, str) and refusal):
        told = refusal if isinstance(refusal, str) and refusal else "stopped by the provider's content filter"
        raise ModelError(Failure.REFUSED, told, usage=usage)
    reasoning = text_of(message.get("reasoning_content")) or text_of(message.get("reasoning"))
    if not text.strip() and reasoning.strip() and (not isinstance(finish, str) or finish in _NORMAL):
        # Some servers put the whole answer where the thoughts belong.
        return Reply(reasoning, usage=usage)
    return Reply(text, reasoning, usage)


def read_usage(usage: object) -> Usage | None:
    """None where nothing of it can be read."""
    tokens, cost = whole(field(usage, "prompt_tokens")), dollars(field(usage, "cost"))
    output = whole(field(usage, "completion_tokens"))
    if not tokens and cost is None and not output:
        return None
    return Usage(
        tokens or None,
        output,
        cached=whole(field(usage, "prompt_tokens_details", "cached_tokens")) or 0,
        written=whole(field(usage, "prompt_tokens_details", "cache_creation_tokens")) or 0,
        cost=cost,
    )
