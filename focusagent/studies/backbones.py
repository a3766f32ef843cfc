"""Models by name: `scripted`, or a model of a provider as AgentLab's own Args."""

from __future__ import annotations

from typing import Any

from focusagent.errors import UserError
from focusagent.models.endpoint import endpoint_of
from focusagent.scripted.name import is_scripted

MAX_NEW_TOKENS = 16_384
CONTEXT = 128_000


def model_args(name: str) -> Any:
    """AgentLab's model Args for `gpt-4.1`, `claude-...`, `openrouter/...`, `azure/...`, `vllm/...` or `scripted`.

    Limits are the model's own, at most the 128k tokens of context that the papers give their models. Raises UserError
    for a name whose provider cannot be told."""
    if is_scripted(name):
        from focusagent.scripted.model import ScriptedModelArgs

        return ScriptedModelArgs(model_name=name, policies=("focusagent.longpage",))
    try:
        endpoint = endpoint_of(name)
    except ValueError as error:
        raise UserError(str(error), exit_code=2) from error
    known = endpoint.info
    limit = min(CONTEXT, known.max_input or CONTEXT) if known else CONTEXT
    fields: dict[str, Any] = {
        "model_name": endpoint.model,
        "max_total_tokens": limit,
        "max_input_tokens": limit,
        "max_new_tokens": min(MAX_NEW_TOKENS, (known.max_output if known else None) or MAX_NEW_TOKENS),
        "temperature": 0.1,
        "vision_support": endpoint.vision,
    }
    return _args_class(endpoint.provider)(
        **fields | ({"backend": "vllm"} if endpoint.provider == "self-hosted" else {})
    )


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
