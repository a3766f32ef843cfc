"""Size classes of LongPage's pages, which names of tasks hold."""

from __future__ import annotations

from typing import Literal, get_args

Size = Literal["1k", "8k", "25k", "60k", "130k"]
TOKENS: dict[str, int] = {"1k": 1_000, "8k": 8_000, "25k": 25_000, "60k": 60_000, "130k": 130_000}
"""Class -> tokens of a page's AxTree, about."""

SIZES: tuple[Size, ...] = get_args(Size)
