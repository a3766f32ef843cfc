"""Models by name: `scripted`, or a model of a provider as AgentLab's own Args."""

from __future__ import annotations

from typing import Any

from focusagent.errors import UserError
from focusagent.models.endpoint import Endpoint, endpoint_of
from focusagent.models.served import served_context
from focusagent.scripted.name import is_scripted

MAX_NEW_TOKENS = 16_384
CONTEXT = 128_000


def model_args(name: str, context: int = 0, completion: int = 0) -> Any:
    """AgentLab's model Args for `gpt-4.1`, `claude-...`, `openrouter/...`, `azure/...`, `vllm/...` or `scripted`.

    Limits are the model's own, at most the 128k tokens of context that the papers give their models, and at most what
    its server says that it holds; `context` and `completion`, where not 0, are taken as they are. Raises UserError for
    a name whose provider cannot be told, and for limits that leave a prompt no room."""
    if is_scripted(name):
        from focusagent.scripted.model import ScriptedModelArgs

        return ScriptedModelArgs(model_name=name, policies=("focusagent.longpage", "focusagent.apps"))
    try:
        endpoint = endpoint_of(name)
    except ValueError as error:
        raise UserError(str(error), exit_code=2) from error
    known = endpoint.info
    limit = context or _context(endpoint)
    longest = completion or min(MAX_NEW_TOKENS, (known.max_output if known else None) or MAX_NEW_TOKENS, limit // 2)
    if longest >= limit:
        raise UserError(
            f"{name!r}: a completion of {longest} tokens leaves no room in a context of {limit}", exit_code=2
        )
    fields: dict[str, Any] = {
        "model_name": endpoint.model,
        "max_total_tokens": limit,
        "max_input_tokens": limit,
        "max_new_tokens": longest,
        "temperature": 0.1,
        "vision_support": endpoint.vision,
    }
    return _args_class(endpoint.provider)(
        **fields | ({"backend": "vllm"} if endpoint.provider == "self-hosted" else {})
    )


def _context(endpoint: Endpoint) -> int:
    """The smallest of what the papers give, what the table knows and what the server says."""
    known = endpoint.info.max_input if endpoint.info else None
    return min(limit for limit in (CONTEXT, known, served_context(endpoint)) if limit)


def _args_class(provider: str) -> Any:
    from agentlab.llm import chat_api

    classes = {
        "openai": chat_api.OpenAIModelArgs,
        "anthropic": chat_api.AnthropicModelArgs,
        "openrouter": chat_api.OpenRouterModelArgs,
        "azure": chat_api.AzureModelArgs,
        "self-hosted": chat_api.SelfHostedModelArgs,
    }
    return classes.get(provider, chat_api.LiteLLMModelArgs)
