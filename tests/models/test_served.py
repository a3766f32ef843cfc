"""Limits that a server itself states."""

from __future__ import annotations

from typing import Any

import pytest
from agentlab.llm.chat_api import SelfHostedModelArgs

from focusagent.models.budget import prompt_budget
from focusagent.models.client import make_client
from focusagent.models.endpoint import endpoint_of
from focusagent.models.served import _known, served_context


@pytest.fixture(autouse=True)
def _nothing_is_known() -> None:
    _known.clear()


@pytest.mark.parametrize(
    "said",
    [
        {"max_model_len": 8192},
        {"context_length": 8192},
        {"meta": {"n_ctx": 8192, "n_ctx_train": 131072}},
        {"loaded_context_length": 8192, "max_context_length": 131072},
        {"max_model_len": "8192"},
    ],
)
def test_a_context_is_read_under_every_name(llm_server: Any, said: dict[str, Any]) -> None:
    llm_server.models = [{"id": "other", "max_model_len": 4096}, {"id": "a-model"} | said]
    client = make_client("a-model")
    assert client.endpoint.max_total == 8192
    assert prompt_budget(client.endpoint) < 8192


@pytest.mark.parametrize("said", [None, {}, [], "x", -1, 7, 10**30, True, 1e400])
@pytest.mark.parametrize("name", ["max_model_len", "meta"])
def test_what_is_no_context_is_none(llm_server: Any, said: Any, name: str) -> None:
    llm_server.models = [{"id": "a-model", name: said if said != 1e400 else "Infinity"}]
    assert served_context(endpoint_of("a-model")) is None
    assert make_client("a-model").complete([{"role": "user", "content": "Hi"}]).error == ""


def test_args_keep_a_smaller_limit_and_lose_a_larger_one(llm_server: Any) -> None:
    llm_server.models = [{"id": "a-model", "max_model_len": 32_768}]
    for asked, wanted in ((4_096, 4_096), (128_000, 32_768)):
        args = SelfHostedModelArgs(
            "a-model", model_url=llm_server.url, backend="vllm", max_total_tokens=asked, max_new_tokens=16_384
        )
        endpoint = make_client(args).endpoint if asked > 16_384 else None
        if endpoint:
            assert (endpoint.max_total, endpoint.max_new) == (wanted, 16_384)
            assert args.max_total_tokens == asked, "Args are read, not written"


def test_a_server_that_is_down_is_no_reason_to_fail(no_keys: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    assert served_context(endpoint_of("a-model")) is None
