"""Addresses as portals, documentation and people write them."""

from __future__ import annotations

from typing import Any

import pytest

from focusagent.models.addresses import azure_address, with_version, without_version
from focusagent.models.checks import check_model
from focusagent.models.client import make_client
from focusagent.models.failure import ConfigError

HOST = "https://mine.openai.azure.com"


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        (HOST, f"{HOST}/openai/v1/"),
        (f"{HOST}/", f"{HOST}/openai/v1/"),
        ("mine.openai.azure.com", f"{HOST}/openai/v1/"),
        (f"{HOST}/openai", f"{HOST}/openai/v1/"),
        (f"{HOST}/openai/v1", f"{HOST}/openai/v1/"),
        (f"{HOST}/openai/v1/chat/completions", f"{HOST}/openai/v1/"),
        (f"{HOST}/openai/deployments/gpt/chat/completions?api-version=2024-10-21", f"{HOST}/openai/v1/"),
        ("https://x.cognitiveservices.azure.com/", "https://x.cognitiveservices.azure.com/openai/v1/"),
        ("https://gateway.example/team/llm", "https://gateway.example/team/llm/"),
        ("", ""),
    ],
)
def test_azures_address_gets_the_path_of_its_interface(given: str, wanted: str) -> None:
    assert azure_address(given) == wanted
    assert azure_address(wanted) == wanted


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("http://localhost:8000", "http://localhost:8000/v1"),
        ("localhost:8000/", "http://localhost:8000/v1"),
        ("http://localhost:8000/v1/", "http://localhost:8000/v1"),
        ("http://localhost:8000/v1/chat/completions", "http://localhost:8000/v1"),
        ("https://openrouter.ai/api/v1", "https://openrouter.ai/api/v1"),
        ("  ", ""),
    ],
)
def test_an_openai_address_gets_its_version(given: str, wanted: str) -> None:
    assert with_version(given) == wanted


def test_anthropics_client_adds_the_version_itself() -> None:
    assert without_version("https://proxy.example/v1/messages") == "https://proxy.example"
    assert without_version("https://proxy.example/anthropic/") == "https://proxy.example/anthropic"


def test_the_bare_address_of_azure_answers(llm_server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZURE_OPENAI_API_KEY", "k")
    monkeypatch.setenv("AZURE_OPENAI_ENDPOINT", llm_server.root)
    assert make_client("azure/gpt-4.1").complete([{"role": "user", "content": "Hi"}]).error == ""
    assert llm_server.received[0].path == "/openai/v1/chat/completions"


@pytest.mark.parametrize("address", ["https://", "ftp://x.example", "http://[::1", "https://:443"])
def test_an_address_without_a_host_is_refused_in_one_line(
    no_keys: None, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setenv("AZURE_OPENAI_API_KEY", "k")
    monkeypatch.setenv("AZURE_OPENAI_ENDPOINT", address)
    with pytest.raises(ConfigError, match="no address for"):
        check_model("azure/gpt-4.1")
