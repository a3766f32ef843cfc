"""Chat completions: OpenAI, Azure, OpenRouter and every server that speaks their protocol (vLLM, llama.cpp, Ollama)."""

from __future__ import annotations

from typing import Any

from focusagent.models.catalog import takes_temperature
from focusagent.models.endpoint import Endpoint
from focusagent.models.failure import Failure, ModelError
from focusagent.models.request import Reply, Request, Usage, text_of
from focusagent.models.transports.options import Options

_NO_KEY = "none"


class OpenAIChat:
    def __init__(self, endpoint: Endpoint, timeout: float) -> None:
        import openai

        self.endpoint = endpoint
        self.options = Options(("temperature", "response_format", "max_completion_tokens", "max_tokens"))
        self.client = openai.OpenAI(
            api_key=endpoint.key or _NO_KEY,
            base_url=endpoint.address or None,
            default_query={"api-version": "preview"} if endpoint.provider == "azure" else None,
            timeout=timeout,
            max_retries=0,
        )

    def send(self, request: Request) -> Reply:
        return self.options.send(lambda: self._once(request))

    def _once(self, request: Request) -> Reply:
        extra = {"usage": {"include": True}} if self.endpoint.provider == "openrouter" else None
        completion = self.client.chat.completions.create(
            model=self.endpoint.model,
            messages=list(request.messages),  # type: ignore[arg-type]
            extra_body=extra,
            **self.options.allow(self._optional(request)),
        )
        return read_completion(completion)

    def _optional(self, request: Request) -> dict[str, Any]:
        """OpenAI's own models take `max_completion_tokens` only; other servers may know only the older name."""
        reasons = not takes_temperature(self.endpoint.model)
        newer = reasons or self.endpoint.official or self.endpoint.provider == "azure"
        names = ("max_completion_tokens", "max_tokens") if newer else ("max_tokens", "max_completion_tokens")
        limit = next((name for name in names if name not in self.options.refused), names[0])
        return {
            limit: request.max_tokens,
            "temperature": None if reasons else request.temperature,
            "response_format": json_schema_format(request),
        }


def json_schema_format(request: Request) -> dict[str, Any] | None:
    if request.schema is None:
        return None
    return {"type": "json_schema", "json_schema": {"name": "selection", "strict": True, "schema": request.schema}}


def read_completion(completion: Any) -> Reply:
    """A chat completion as a Reply. Raises ModelError where it holds no answer."""
    data = completion if isinstance(completion, dict) else _as_dict(completion)
    choices = data.get("choices")
    if not choices:
        error = data.get("error")
        raise ModelError(Failure.EMPTY_ANSWER, f"no choices in the reply{f': {error}' if error else ''}")
    choice = choices[0]
    message = choice.get("message") or {}
    if choice.get("finish_reason") == "content_filter" or message.get("refusal"):
        raise ModelError(Failure.REFUSED, message.get("refusal") or "stopped by the provider's content filter")
    reasoning = message.get("reasoning_content") or message.get("reasoning") or ""
    return Reply(text_of(message.get("content")), text_of(reasoning), _usage(data.get("usage")))


def _as_dict(completion: Any) -> dict[str, Any]:
    if not hasattr(completion, "model_dump"):
        raise ModelError(Failure.SERVER_ERROR, f"not a chat completion: {str(completion)[:80]!r}")
    data: dict[str, Any] = completion.model_dump(warnings=False)
    return data


def _usage(usage: Any) -> Usage | None:
    if not isinstance(usage, dict) or usage.get("prompt_tokens") is None:
        return None
    details = usage.get("prompt_tokens_details") or {}
    return Usage(
        int(usage["prompt_tokens"]),
        int(usage.get("completion_tokens") or 0),
        cached=int(details.get("cached_tokens") or 0),
        written=int(details.get("cache_creation_tokens") or 0),
        cost=usage.get("cost"),
    )
