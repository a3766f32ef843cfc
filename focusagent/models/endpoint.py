"""Where a model is reached and within which limits: read from AgentLab's Args or from a name, never written back.

Args are known by the name of the class that defines their `make_model`, so that neither AgentLab has to be imported nor
a subclass with a model of its own is taken for its parent."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Literal

from focusagent.models.addresses import address_of, key_of
from focusagent.models.catalog import ModelInfo, Prices, model_info
from focusagent.models.failure import ConfigError

Protocol = Literal["openai", "anthropic", "litellm", "own"]
_BASE = "agentlab.llm.chat_api"
_PROVIDERS = {
    f"{_BASE}.OpenAIModelArgs": "openai",
    f"{_BASE}.AzureModelArgs": "azure",
    f"{_BASE}.OpenRouterModelArgs": "openrouter",
    f"{_BASE}.AnthropicModelArgs": "anthropic",
    f"{_BASE}.LiteLLMModelArgs": "litellm",
    "agentlab.llm.litellm_api.LiteLLMModelArgs": "litellm",
    f"{_BASE}.SelfHostedModelArgs": "self-hosted",
}


@dataclass(frozen=True)
class Endpoint:
    """One model at one address. Limits are in tokens, None where neither Args nor table know them; `address` is "" for
    the provider's own; `args` are kept for the models that only their own Args can make (protocol "own")."""

    model: str
    provider: str
    protocol: Protocol
    address: str = ""
    key: str = ""
    temperature: float | None = None
    max_total: int | None = None
    max_input: int | None = None
    max_new: int | None = None
    vision: bool = False
    prices: Prices | None = None
    info: ModelInfo | None = None
    args: Any = None

    @property
    def official(self) -> bool:
        """At the provider's own address, where the table knows all models."""
        return not self.address and self.provider in ("openai", "anthropic")


def endpoint_of(model: Any) -> Endpoint:
    """The endpoint of AgentLab Args (any class), of a model's name, or the endpoint itself.

    Raises ConfigError for a name whose provider cannot be told."""
    if isinstance(model, Endpoint):
        return model
    if isinstance(model, str):
        return _of_name(model)
    provider = _provider(model)
    if provider == "self-hosted" and getattr(model, "backend", "") != "vllm":
        provider = None
    return _reached(provider, model.model_name, model) if provider else _own(model)


def is_known(model_args: Any) -> bool:
    """Whether our client can stand in for the chat model that these Args would make."""
    return endpoint_of(model_args).protocol != "own"


def _provider(args: Any) -> str | None:
    for kind in type(args).__mro__:
        if "make_model" in vars(kind):
            return _PROVIDERS.get(f"{kind.__module__}.{kind.__name__}")
    raise ConfigError(f"{type(args).__name__} is neither a model's name nor AgentLab model Args")


def _own(args: Any) -> Endpoint:
    name = str(getattr(args, "model_name", type(args).__name__))
    return Endpoint(name, "own", "own", prices=getattr(args, "prices", None), args=args, **_limits(args))


def _limits(args: Any) -> dict[str, Any]:
    fields = {"max_total": "max_total_tokens", "max_input": "max_input_tokens", "max_new": "max_new_tokens"}
    limits: dict[str, Any] = {ours: getattr(args, theirs, None) for ours, theirs in fields.items()}
    return limits | {
        "temperature": getattr(args, "temperature", None),
        "vision": bool(getattr(args, "vision_support", False)),
    }


def _reached(provider: str, name: str, args: Any = None) -> Endpoint:
    """The endpoint of `name` at `provider`; what Args do not say comes from the environment and from the table."""
    info = model_info(name, provider)
    limits = _limits(args) if args is not None else {}
    if args is None and info is not None:
        limits = {"max_new": min(info.max_output or _ENOUGH, _ENOUGH), "vision": info.vision}
    if args is None:
        limits["temperature"] = 0.0
    return Endpoint(
        model=name.removeprefix(f"{provider}/") if provider in ("openai", "anthropic") else name,
        provider=provider,
        protocol={"anthropic": "anthropic", "litellm": "litellm"}.get(provider, "openai"),  # type: ignore[arg-type]
        address=address_of(provider, args),
        key=key_of(provider, args),
        prices=info.prices if info else None,
        info=info,
        args=args,
        **limits,
    )


_ENOUGH = 8_192  # tokens of an answer, for a model that is only named: reasoning models think before they answer


def _of_name(name: str) -> Endpoint:
    """`gpt-4.1-mini`, `claude-...`, or `provider/model` with openai, anthropic, openrouter, azure, vllm or any provider
    of litellm. With OPENAI_BASE_URL set, any other name is one of that server."""
    prefix, _, rest = name.partition("/")
    if rest and prefix in ("openai", "anthropic", "openrouter", "azure"):
        return _reached(prefix, rest)
    if rest and prefix == "vllm":
        return _reached("self-hosted", rest)
    info = model_info(name)
    if info is not None and info.provider in ("openai", "anthropic") and not rest:
        return _reached(info.provider, name)
    if name.startswith("claude-"):
        return _reached("anthropic", name)
    if os.environ.get("OPENAI_BASE_URL") or name.startswith(("gpt-", "o1", "o3", "o4", "ft:")):
        return _reached("openai", name)
    if info is not None:
        return _reached("litellm", name)
    raise ConfigError(
        f"unknown model {name!r}: name it as provider/model, or set OPENAI_BASE_URL to the server that has it"
    )
