"""Whose model it is, where it is reached, and what can never work."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from agentlab.llm import chat_api, litellm_api
from agentlab.llm.base_api import BaseModelArgs

from focusagent.models.budget import MARGIN, UNKNOWN_CONTEXT, prompt_budget
from focusagent.models.catalog import model_info, takes_temperature
from focusagent.models.checks import check_model
from focusagent.models.endpoint import endpoint_of, is_known
from focusagent.models.failure import ConfigError
from focusagent.scripted.model import ScriptedModelArgs


@dataclass
class FakeArgs(chat_api.OpenAIModelArgs):
    """A subclass with a model of its own."""

    def make_model(self) -> Any:
        return None


@dataclass
class RenamedArgs(chat_api.OpenAIModelArgs):
    """A subclass whose model is its parent's."""


ARGS = [
    (chat_api.OpenAIModelArgs("gpt-4.1"), "openai", "openai"),
    (RenamedArgs("gpt-4.1"), "openai", "openai"),
    (chat_api.AzureModelArgs("gpt-4.1"), "azure", "openai"),
    (chat_api.OpenRouterModelArgs("qwen/qwen3-8b"), "openrouter", "openai"),
    (chat_api.AnthropicModelArgs("claude-sonnet-4-20250514"), "anthropic", "anthropic"),
    (chat_api.LiteLLMModelArgs("gemini/gemini-2.5-flash"), "litellm", "litellm"),
    (litellm_api.LiteLLMModelArgs("gemini/gemini-2.5-flash"), "litellm", "litellm"),
    (chat_api.SelfHostedModelArgs("qwen3-8b", backend="vllm"), "self-hosted", "openai"),
    (chat_api.SelfHostedModelArgs("qwen3-8b", backend="huggingface"), "own", "own"),
    (chat_api.BedrockModelArgs("us.anthropic.claude"), "own", "own"),
    (FakeArgs("gpt-4.1"), "own", "own"),
    (ScriptedModelArgs(), "own", "own"),
]


@pytest.mark.parametrize(("args", "provider", "protocol"), ARGS, ids=lambda value: type(value).__name__)
def test_agentlabs_args_are_known_by_what_makes_their_model(
    no_keys: None, args: BaseModelArgs, provider: str, protocol: str
) -> None:
    endpoint = endpoint_of(args)
    assert (endpoint.provider, endpoint.protocol) == (provider, protocol)
    assert is_known(args) == (protocol != "own")


@pytest.mark.parametrize(
    ("name", "provider", "model"),
    [
        ("gpt-4.1-mini", "openai", "gpt-4.1-mini"),
        ("openai/gpt-5-mini", "openai", "gpt-5-mini"),
        ("claude-sonnet-4-20250514", "anthropic", "claude-sonnet-4-20250514"),
        ("anthropic/claude-3-7-sonnet-20250219", "anthropic", "claude-3-7-sonnet-20250219"),
        ("openrouter/qwen/qwen3-8b", "openrouter", "qwen/qwen3-8b"),
        ("vllm/Qwen/Qwen3-8B", "self-hosted", "Qwen/Qwen3-8B"),
        ("gemini/gemini-2.5-flash", "litellm", "gemini/gemini-2.5-flash"),
    ],
)
def test_a_name_tells_its_provider(no_keys: None, name: str, provider: str, model: str) -> None:
    endpoint = endpoint_of(name)
    assert (endpoint.provider, endpoint.model) == (provider, model)


def test_any_name_is_one_of_a_server_that_is_named(no_keys: None, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match="unknown model 'llama3:8b'"):
        endpoint_of("llama3:8b")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:11434/v1")
    endpoint = check_model("llama3:8b")
    assert (endpoint.provider, endpoint.address) == ("openai", "http://127.0.0.1:11434/v1")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (chat_api.OpenAIModelArgs("gpt-4.1-minii"), "did you mean 'gpt-4.1-mini'"),
        (chat_api.OpenAIModelArgs("gpt-4.1", max_total_tokens=8_000, max_new_tokens=8_000), "no room"),
        (chat_api.AnthropicModelArgs("claude-sonnet-44-20250514"), "unknown anthropic model"),
    ],
)
def test_what_can_never_work_is_one_line(
    no_keys: None, monkeypatch: pytest.MonkeyPatch, args: BaseModelArgs, message: str
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    with pytest.raises(ConfigError, match=message) as raised:
        check_model(args)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("name", "variable"), [("gpt-4.1", "OPENAI_API_KEY"), ("openrouter/qwen/qwen3-8b", "OPENROUTER_API_KEY")]
)
def test_a_missing_key_is_named(no_keys: None, monkeypatch: pytest.MonkeyPatch, name: str, variable: str) -> None:
    with pytest.raises(ConfigError, match=variable):
        check_model(name)
    monkeypatch.setenv(variable, "k")
    assert check_model(name).key == "k"


def test_a_model_newer_than_the_table_needs_its_limit(no_keys: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    check_model(chat_api.OpenAIModelArgs("gpt-9", max_total_tokens=100_000))


def test_args_are_read_not_written(no_keys: None) -> None:
    for args, *_ in ARGS:
        before = dict(vars(args))
        endpoint_of(args)
        assert vars(args) == before


def test_case_02_prompt_and_completion_fit_together(no_keys: None) -> None:
    args = chat_api.OpenAIModelArgs("gpt-4.1", max_total_tokens=128_000, max_new_tokens=16_384)
    assert prompt_budget(endpoint_of(args)) == 128_000 - 16_384 - MARGIN <= 111_000


def test_the_smaller_limit_counts(no_keys: None) -> None:
    args = chat_api.OpenAIModelArgs("gpt-4.1", max_total_tokens=128_000, max_input_tokens=8_000, max_new_tokens=1_000)
    assert prompt_budget(endpoint_of(args)) == 8_000


def test_other_tokenizers_get_a_smaller_budget(no_keys: None) -> None:
    limits: dict[str, Any] = {"max_total_tokens": 100_000, "max_new_tokens": 1_000}
    claude = chat_api.AnthropicModelArgs("claude-sonnet-4-20250514", **limits)
    gpt = chat_api.OpenAIModelArgs("gpt-4.1", **limits)
    assert prompt_budget(endpoint_of(claude)) <= 0.8 * prompt_budget(endpoint_of(gpt))


def test_without_any_limit_a_small_context_is_assumed(no_keys: None) -> None:
    assert prompt_budget(endpoint_of("vllm/some-model")) < UNKNOWN_CONTEXT


def test_models_of_the_papers_are_in_the_table() -> None:
    for name, provider in [
        ("gpt-4.1", "openai"),
        ("gpt-4.1-mini", "openai"),
        ("gpt-5-mini-2025-08-07", "openai"),
        ("claude-3-7-sonnet-20250219", "anthropic"),
        ("claude-sonnet-4-5", "anthropic"),
        ("anthropic/claude-3.7-sonnet", "openrouter"),
    ]:
        info = model_info(name, provider)
        assert info is not None
        assert info.prices is not None
        assert info.max_input is not None
    assert model_info("qwen/qwen3-8b", "openrouter") is None, "unknown stays unknown"


def test_case_16_reasoning_models_take_no_temperature(llm_server: Any) -> None:
    from focusagent.models.client import make_client

    for name in ("gpt-5-mini", "o4-mini"):
        args = chat_api.OpenAIModelArgs(name, max_new_tokens=100, temperature=0)
        make_client(args).complete([{"role": "user", "content": "Hi"}])
    make_client(chat_api.OpenAIModelArgs("gpt-4.1", max_new_tokens=100, temperature=0)).complete(
        [{"role": "user", "content": "Hi"}]
    )
    bodies = [received.body for received in llm_server.received]
    assert ["temperature" in body for body in bodies] == [False, False, True]
    assert ["max_completion_tokens" in body for body in bodies] == [True, True, False]
    assert not takes_temperature("openai/gpt-5-mini")
    assert takes_temperature("gpt-5-chat-latest")
