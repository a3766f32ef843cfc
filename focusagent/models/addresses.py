"""Where a provider is reached and with which key; addresses as people paste them, made what the clients want."""

from __future__ import annotations

import os
import re
from typing import Any
from urllib.parse import urlsplit, urlunsplit

OPENROUTER = "https://openrouter.ai/api/v1"
VLLM = "http://localhost:8000/v1"
KEYS = {
    "openai": "OPENAI_API_KEY",
    "azure": "AZURE_OPENAI_API_KEY",
    "openrouter": "OPENROUTER_API_KEY",
    "anthropic": "ANTHROPIC_API_KEY",
    "self-hosted": "VLLM_API_KEY",
}
# What a documentation's example or a portal's "target URI" has behind the address proper.
_CALL = re.compile(r"/(?:chat/completions|completions|responses|messages|embeddings|models)/?$")
_AZURE_HOST = re.compile(r"\.(?:openai|cognitiveservices|services\.ai)\.azure\.(?:com|us|cn)$", re.I)
_AZURE_PATH = "/openai/v1"


def address_of(provider: str, args: Any) -> str:
    """The address for the provider's client, "" for the provider's own."""
    match provider:
        case "openai":
            return with_version(os.environ.get("OPENAI_BASE_URL", ""))
        case "anthropic":
            return without_version(os.environ.get("ANTHROPIC_BASE_URL", ""))
        case "azure":
            return azure_address(os.environ.get("AZURE_OPENAI_ENDPOINT", ""))
        case "openrouter":
            return with_version(os.environ.get("OPENROUTER_API_BASE", OPENROUTER))
        case "self-hosted":
            return with_version(getattr(args, "model_url", None) or os.environ.get("VLLM_API_URL", VLLM))
        case _:
            return getattr(args, "base_url", None) or ""


def key_of(provider: str, args: Any) -> str:
    own = getattr(args, "token", None) or getattr(args, "api_key", None)
    return own or os.environ.get(KEYS.get(provider, ""), "")


def with_version(address: str) -> str:
    """An address of OpenAI's protocol: `/v1` is added where no path is given, the call's own path is taken off."""
    if not address.strip():
        return ""
    scheme, host, path = _parts(address)
    return urlunsplit((scheme, host, path or "/v1", "", ""))


def without_version(address: str) -> str:
    """An address for Anthropic's client, which adds `/v1/messages` itself."""
    if not address.strip():
        return ""
    scheme, host, path = _parts(address)
    return urlunsplit((scheme, host, path.removesuffix("/v1"), "", ""))


def azure_address(address: str) -> str:
    """Azure's address with the path of its current interface. The portal shows the bare host, or the path of one
    deployment's calls; a path on any other host (a gateway's) is somebody's own and stays."""
    if not address.strip():
        return ""
    scheme, host, path = _parts(address)
    known = _AZURE_HOST.search(host.rpartition("@")[2].partition(":")[0])
    if not path or (known and (path == "/openai" or path.startswith(("/openai/deployments", _AZURE_PATH)))):
        path = _AZURE_PATH
    return urlunsplit((scheme, host, f"{path}/", "", ""))


def _parts(address: str) -> tuple[str, str, str]:
    """Scheme, host and path, without a query, a call's name and a last slash."""
    text = address.strip()
    try:
        split = urlsplit(text if "://" in text else f"{_scheme(text)}://{text}")
    except ValueError:
        return "", text, ""  # no address at all: `checks` says so
    return split.scheme, split.netloc, _CALL.sub("", split.path).rstrip("/")


def _scheme(address: str) -> str:
    return "http" if address.startswith(("localhost", "127.", "0.0.0.0", "[::1]")) else "https"
