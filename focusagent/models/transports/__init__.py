"""One module a protocol; each imports its provider's client only when a model is made."""

from __future__ import annotations

from focusagent.models.endpoint import Endpoint
from focusagent.models.request import Transport


def make_transport(endpoint: Endpoint, timeout: float) -> Transport:
    """The client of the endpoint's protocol, its own retries off; `timeout` is in seconds for one attempt."""
    match endpoint.protocol:
        case "openai":
            from focusagent.models.transports.openai_chat import OpenAIChat

            return OpenAIChat(endpoint, timeout)
        case "anthropic":
            from focusagent.models.transports.anthropic_messages import AnthropicMessages

            return AnthropicMessages(endpoint, timeout)
        case "litellm":
            from focusagent.models.transports.litellm_completion import LiteLLMCompletion

            return LiteLLMCompletion(endpoint, timeout)
        case "own":
            from focusagent.models.transports.own_model import OwnModel

            return OwnModel(endpoint)
