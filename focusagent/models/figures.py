"""Figures of a reply that has been paid for: whatever a provider writes there, reading it never fails."""

from __future__ import annotations

import math
from collections.abc import Mapping

MOST_TOKENS = 1_000_000_000
MOST_DOLLARS = 1_000_000.0
_TOTALS = ("total_cost", "total", "cost", "amount", "value", "usd")


def whole(value: object) -> int | None:
    """A count of tokens, also where it is written as a float or a text; None for anything that cannot be one."""
    number = _number(value)
    return int(number) if number is not None and number <= MOST_TOKENS else None


def dollars(value: object) -> float | None:
    """A cost, also where it stands in an object under a name for a total; None for anything that cannot be one."""
    if isinstance(value, Mapping):
        return next((found for name in _TOTALS if (found := dollars_of(value.get(name))) is not None), None)
    return dollars_of(value)


def dollars_of(value: object) -> float | None:
    number = _number(value)
    return number if number is not None and number <= MOST_DOLLARS else None


def field(data: object, *path: str) -> object:
    """`data[a][b]`, None where a part is missing or no mapping."""
    for name in path:
        if not isinstance(data, Mapping):
            return None
        data = data.get(name)
    return data


def _number(value: object) -> float | None:
    """A finite number from 0 on."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) and number >= 0 else None
