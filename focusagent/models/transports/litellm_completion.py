"""All other providers, through LiteLLM."""

from __future__ import annotations

import logging
import os
import threading
from functools import lru_cache
from typing import Any

from focusagent.models.catalog import takes_temperature
from focusagent.models.endpoint import Endpoint
from focusagent.models.failure import ModelError
from focusagent.models.request import Reply, Request
from focusagent.models.transports.openai_chat import json_object, json_schema_format, read_completion


class LiteLLMCompletion:
    limit_names: tuple[str, ...] = ("max_tokens", "max_completion_tokens")

    def __init__(self, endpoint: Endpoint, timeout: float) -> None:
        os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
        import litellm

        litellm.suppress_debug_info = True
        # It reports figures that it cannot read on the terminal, reply and all; here they are unknown.
        logging.getLogger("LiteLLM").setLevel(logging.CRITICAL)
        self.completion = litellm.completion
        self.endpoint, self.timeout = endpoint, timeout
        self.replies = _replies()

    def send(self, request: Request) -> Reply:
        options = {
            "temperature": request.temperature if takes_temperature(self.endpoint.model) else None,
            request.limit_name: request.max_tokens,
            "response_format": json_schema_format(request),
            "api_base": self.endpoint.address or None,
            "api_key": self.endpoint.key or None,
        }
        self.replies.last = ""
        try:
            completion = self.completion(
                model=self.endpoint.model,
                messages=list(request.messages),
                timeout=self.timeout,
                num_retries=0,
                max_retries=0,
                **{name: value for name, value in options.items() if value is not None},
            )
            return read_completion(_plain(completion))
        except ModelError:
            raise
        except Exception:
            # LiteLLM fails on a reply whose figures are of other kinds than it expects; the reply is paid for.
            if not self.replies.last:
                raise
            return read_completion(json_object(self.replies.last))


class _Replies(threading.local):
    """The text of the last good reply that this thread got; "" where there was none."""

    last = ""


@lru_cache(maxsize=1)
def _replies() -> _Replies:
    """Listens to the connection that LiteLLM uses for servers of OpenAI's protocol."""
    import httpx
    import litellm

    replies = _Replies()

    def listen(response: httpx.Response) -> None:
        if response.status_code == 200:
            response.read()
            replies.last = response.text

    litellm.client_session = httpx.Client(event_hooks={"response": [listen]})
    return replies


def _plain(completion: Any) -> dict[str, Any]:
    """What is read of a completion, field by field: dumping LiteLLM's objects whole warns about their own types."""
    fields = ("content", "refusal", "reasoning_content", "reasoning")
    choices = [
        {
            "finish_reason": choice.finish_reason,
            "message": {name: getattr(choice.message, name, None) for name in fields},
        }
        for choice in completion.choices or ()
    ]
    usage = getattr(completion, "usage", None)
    return {"choices": choices, "usage": usage.model_dump(warnings=False) if usage is not None else None}
