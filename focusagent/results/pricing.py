"""Recorded tokens under any price list: what a study would have cost, and what it would have taken to pay."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import pandas as pd

from focusagent.models.catalog import Prices, model_info
from focusagent.results.frames import Results
from focusagent.results.table import Cell

PriceOf = Callable[[str], Prices | None]


def listed_price(model: str) -> Prices | None:
    """litellm's price; scripts cost nothing; None for an unknown model."""
    if model.startswith("scripted"):
        return Prices(0.0, 0.0)
    info = model_info(model)
    return info.prices if info else None


def replay(steps: pd.DataFrame, backbone: Prices | None, retriever: Prices | None, cached: bool = True) -> float:
    """Dollars of the recorded steps under these prices; NaN where a price that is needed is unknown. Without `cached`
    every input token has its full price."""
    total = 0.0
    for who, prices in (("backbone", backbone), ("retriever", retriever)):
        read, said, hit = (_sum(steps, f"{who}_{what}_tokens") for what in ("input", "output", "cached"))
        if who == "backbone":
            said = _sum(steps, "output_tokens") - _sum(steps, "retriever_output_tokens")
        if read or said:
            total += prices.cost(int(read), int(said), int(hit) if cached else 0) if prices else math.nan
    return total


def pays_from(steps: pd.DataFrame, backbone: Prices | None, retriever: Prices | None) -> float:
    """The least share of the pages that had to be pruned for the recorded retriever calls to pay for themselves; 0 for
    a retriever that cost nothing, NaN where a price is unknown or no page was recorded."""
    page = _sum(steps, "axtree_tokens_full")
    if not _sum(steps, "retriever_input_tokens"):
        return 0.0
    if backbone is None or retriever is None or not page or not backbone.input:
        return math.nan
    asked = retriever.cost(int(_sum(steps, "retriever_input_tokens")), int(_sum(steps, "retriever_output_tokens")))
    return asked / (page * backbone.input)


def cost_rows(results: Results, price_of: PriceOf = listed_price) -> Iterator[tuple[Cell, ...]]:
    """Agent, recorded dollars, priced without and with the cache's discount, pruned %, break-even %, a verdict."""
    for agent, episodes in results.episodes.groupby("agent", sort=False):
        steps = results.steps[results.steps["id"].isin(episodes["id"])]
        backbone, retriever = (
            price_of(episodes["backbone"].iloc[0]),
            price_of(episodes["retriever_model"].iloc[0] or episodes["backbone"].iloc[0]),
        )
        least = pays_from(steps, backbone, retriever)
        full = steps["axtree_tokens_full"].where(steps["axtree_tokens_shown"].notna()).sum()
        pruned = 1 - steps["axtree_tokens_shown"].sum() / full if full else math.nan
        asks = _sum(steps, "retriever_input_tokens") > 0
        verdict = "no model asked" if not asks else "n/a" if math.isnan(least) else "yes" if pruned >= least else "no"
        yield (
            str(agent),
            float(episodes["cost"].sum(skipna=False)),
            replay(steps, backbone, retriever, cached=False),
            replay(steps, backbone, retriever),
            100 * pruned,
            100 * least if asks else math.nan,
            verdict,
        )


def _sum(steps: pd.DataFrame, column: str) -> float:
    return float(steps[column].sum()) if column in steps.columns else 0.0
