"""Settings that can never work, found before the first step and told in one line."""

from __future__ import annotations

import difflib
import os
from typing import Any
from urllib.parse import urlsplit

from focusagent.extras import missing_extra
from focusagent.models.addresses import KEYS
from focusagent.models.catalog import table
from focusagent.models.endpoint import Endpoint, endpoint_of
from focusagent.models.failure import ConfigError


def check_model(model: Any) -> Endpoint:
    """The endpoint of Args or of a name, once it can work as far as can be told without a call.

    Raises ConfigError: a model that the provider does not have, no key, an address that is none, a completion as large
    as the context."""
    endpoint = endpoint_of(model)
    _check_address(endpoint)
    _check_name(endpoint)
    _check_key(endpoint)
    _check_room(endpoint)
    return endpoint


def _check_name(endpoint: Endpoint) -> None:
    """At the provider's own address, a name that the table lacks is a mistake, unless its limits are given.

    Raises MissingExtra where the table is not installed, and with it no provider's client."""
    if not table():
        raise missing_extra("litellm", f"the model {endpoint.model!r}")
    if not endpoint.official or endpoint.info or endpoint.max_total or endpoint.max_input:
        return
    if endpoint.model.startswith("ft:"):
        return
    known = [name for name, row in table().items() if row.get("litellm_provider") == endpoint.provider]
    near = difflib.get_close_matches(endpoint.model, known, n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    raise ConfigError(
        f"unknown {endpoint.provider} model {endpoint.model!r}; {hint}A newer one needs max_total_tokens in its Args"
    )


def _check_address(endpoint: Endpoint) -> None:
    """An address with a host that a client can be sent to."""
    if not endpoint.address:
        return
    try:
        split = urlsplit(endpoint.address)
        usable = split.scheme in ("http", "https") and bool(split.hostname) and split.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise ConfigError(f"no address for {endpoint.model!r}: {endpoint.address[:200]!r} names no host to reach")


def _check_key(endpoint: Endpoint) -> None:
    """A server at an address of the user's own may need no key; the providers do."""
    name = KEYS.get(endpoint.provider, "")
    if endpoint.provider == "azure" and not endpoint.address:
        raise ConfigError(f"no address for {endpoint.model!r}: set AZURE_OPENAI_ENDPOINT")
    needs_key = endpoint.official or endpoint.provider in ("azure", "openrouter")
    has_token = endpoint.provider == "anthropic" and os.environ.get("ANTHROPIC_AUTH_TOKEN")
    if needs_key and not endpoint.key and not has_token:
        raise ConfigError(f"no key for {endpoint.model!r}: set {name}")


def _check_room(endpoint: Endpoint) -> None:
    context, completion = endpoint.max_total, endpoint.max_new
    if context and completion and completion >= context:
        raise ConfigError(
            f"{endpoint.model!r}: a completion of {completion} tokens leaves no room in a context of {context}"
        )
