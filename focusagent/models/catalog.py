"""Limits, prices and habits of models: litellm's table, read from its file, since importing litellm takes seconds and
asks the network for a newer one. What the table does not know stays None."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

_TABLE = "model_prices_and_context_window_backup.json"
_NO_TEMPERATURE = re.compile(r"(?:^|/)(?:o[1-9](?:-|$)|gpt-5(?!.*chat))")


@dataclass(frozen=True)
class Prices:
    """Dollars a token. Cached input costs as much as fresh input where no discount is known."""

    input: float
    output: float
    cached: float | None = None
    cache_write: float | None = None

    def cost(self, input_tokens: int, output_tokens: int, cached: int = 0, written: int = 0) -> float:
        """`input_tokens` include those read from the provider's cache (`cached`) and those written to it."""
        read = self.input if self.cached is None else self.cached
        write = self.input if self.cache_write is None else self.cache_write
        fresh = max(0, input_tokens - cached - written)
        return fresh * self.input + cached * read + written * write + output_tokens * self.output


@dataclass(frozen=True)
class ModelInfo:
    """What is known of a model; token limits are None where nothing is."""

    provider: str
    max_input: int | None
    max_output: int | None
    prices: Prices | None
    vision: bool
    schema: bool


@lru_cache(maxsize=1)
def table() -> Mapping[str, Mapping[str, Any]]:
    """litellm's models by name; empty where litellm is not installed."""
    spec = find_spec("litellm")
    if spec is None or spec.origin is None:
        return {}
    rows = json.loads((Path(spec.origin).parent / _TABLE).read_text(encoding="utf-8"))
    return {name: row for name, row in rows.items() if name != "sample_spec"}


def model_info(name: str, provider: str = "") -> ModelInfo | None:
    """The table's row for `name` at `provider` (openai, anthropic, openrouter, azure, ...), None where it has none."""
    bare = name.split("/", 1)[-1]
    candidates = [f"{provider}/{name}", name] if provider else [name]
    if provider in ("openai", "anthropic") or name.startswith(("openai/", "anthropic/")):
        candidates.append(bare)
    for candidate in candidates:
        row = table().get(candidate)
        if row is not None and (not provider or _same(provider, str(row.get("litellm_provider", "")))):
            return _info(row)
    return None


def _same(provider: str, listed: str) -> bool:
    return listed == provider or provider == "litellm"


def _info(row: Mapping[str, Any]) -> ModelInfo:
    return ModelInfo(
        provider=str(row.get("litellm_provider", "")),
        max_input=_whole(row.get("max_input_tokens") or row.get("max_tokens")),
        max_output=_whole(row.get("max_output_tokens") or row.get("max_tokens")),
        prices=_prices(row),
        vision=bool(row.get("supports_vision")),
        schema=bool(row.get("supports_response_schema")),
    )


def _whole(value: object) -> int | None:
    return int(value) if isinstance(value, (int, float)) and value > 0 else None


def _prices(row: Mapping[str, Any]) -> Prices | None:
    fresh, out = row.get("input_cost_per_token"), row.get("output_cost_per_token")
    if fresh is None or out is None:
        return None
    return Prices(
        float(fresh), float(out), row.get("cache_read_input_token_cost"), row.get("cache_creation_input_token_cost")
    )


def takes_temperature(name: str) -> bool:
    """OpenAI's reasoning models (o1, o3, o4, gpt-5) refuse any temperature but their own."""
    return not _NO_TEMPERATURE.search(name.lower())
