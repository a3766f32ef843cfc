"""What a server says of the context that it holds: often less than the model could take."""

from __future__ import annotations

import json
import threading
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import replace

from focusagent.models.endpoint import Endpoint
from focusagent.models.figures import field, whole

SECONDS = 2.0
LEAST_CONTEXT = 1_024
_MOST_BYTES = 4_000_000
# vLLM and SGLang; LM Studio; proxies; llama.cpp; Mistral.
_NAMES = (
    ("max_model_len",),
    ("loaded_context_length",),
    ("context_length",),
    ("meta", "n_ctx"),
    ("max_context_length",),
    ("context_window",),
)
_known: dict[tuple[str, str], int | None] = {}
_lock = threading.Lock()


def served_context(endpoint: Endpoint) -> int | None:
    """The context of the endpoint's model in tokens, None where its server does not say. Asked once a process."""
    if endpoint.provider not in ("openai", "self-hosted") or not endpoint.address:
        return None
    key = endpoint.address, endpoint.model
    with _lock:
        if key not in _known:
            context = _context(_listed(endpoint), endpoint.model)
            if context is None:
                return None
            _known[key] = context
        return _known[key]


def within_served(endpoint: Endpoint) -> Endpoint:
    """The endpoint with a context no larger than its server's, and a completion that leaves the prompt half of it."""
    context = served_context(endpoint)
    if context is None or (endpoint.max_total and endpoint.max_total <= context):
        return endpoint
    completion = endpoint.max_new and min(endpoint.max_new, context // 2)
    return replace(endpoint, max_total=context, max_new=completion)


def _listed(endpoint: Endpoint) -> object:
    """The reply of `/models`, None where there is none."""
    request = urllib.request.Request(
        f"{endpoint.address.rstrip('/')}/models", headers={"Authorization": f"Bearer {endpoint.key or 'none'}"}
    )
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as reply:
            data: object = json.loads(reply.read(_MOST_BYTES))
            return data
    except (OSError, ValueError, RecursionError):
        return None


def _context(listed: object, model: str) -> int | None:
    for entry in _entries(listed):
        if entry.get("id") != model:
            continue
        for path in _NAMES:
            found = whole(field(entry, *path))
            if found and found >= LEAST_CONTEXT:
                return found
    return None


def _entries(listed: object) -> Iterator[Mapping[str, object]]:
    data = field(listed, "data")
    for entry in data if isinstance(data, list) else ():
        if isinstance(entry, Mapping):
            yield entry
