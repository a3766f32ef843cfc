"""All other providers, through LiteLLM."""

from __future__ import annotations

import os
from typing import Any

from focusagent.models.catalog import takes_temperature
from focusagent.models.endpoint import Endpoint
from focusagent.models.request import Reply, Request
from focusagent.models.transports.openai_chat import json_schema_format, read_completion
from focusagent.models.transports.options import Options


class LiteLLMCompletion:
    def __init__(self, endpoint: Endpoint, timeout: float) -> None:
        os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
        import litellm

        litellm.suppress_debug_info = True
        self.completion = litellm.completion
        self.endpoint, self.timeout = endpoint, timeout
        self.options = Options(("temperature", "response_format", "max_tokens"))

    def send(self, request: Request) -> Reply:
        return self.options.send(lambda: self._once(request))

    def _once(self, request: Request) -> Reply:
        optional = {
            "temperature": request.temperature if takes_temperature(self.endpoint.model) else None,
            "max_tokens": request.max_tokens,
            "response_format": json_schema_format(request),
            "api_base": self.endpoint.address or None,
            "api_key": self.endpoint.key or None,
        }
        completion = self.completion(
            model=self.endpoint.model,
            messages=list(request.messages),
            timeout=self.timeout,
            num_retries=0,
            max_retries=0,
            **self.options.allow(optional),
        )
        return read_completion(_plain(completion))


def _plain(completion: Any) -> dict[str, Any]:
    """What is read of a completion, field by field: dumping LiteLLM's objects whole warns about their own types."""
    fields = ("content", "refusal", "reasoning_content")
    choices = [
        {
            "finish_reason": choice.finish_reason,
            "message": {name: getattr(choice.message, name, None) for name in fields},
        }
        for choice in completion.choices or ()
    ]
    usage = getattr(completion, "usage", None)
    return {"choices": choices, "usage": usage.model_dump() if usage is not None else None}
