"""Student's t without scipy: `coverage` states intervals in a light install, and scipy alone is 110 MB."""

from __future__ import annotations

import math
from functools import lru_cache

_HALVINGS = 200


def t_cdf(x: float, degrees: int) -> float:
    """P(T <= x) for a whole number of degrees of freedom (Abramowitz and Stegun, 26.7.3 and 26.7.4)."""
    angle = math.atan(x / math.sqrt(degrees))
    cosine, sine = math.cos(angle), math.sin(angle)
    odd = degrees % 2
    term = cosine if odd else 1.0
    total = term if degrees > 1 else 0.0
    for k in range(2 + odd, degrees - 1, 2):
        term *= (k - 1) / k * cosine * cosine
        total += term
    within = (angle + sine * total) * 2 / math.pi if odd else sine * total
    return 0.5 + within / 2


@lru_cache(maxsize=1_000)
def t_quantile(probability: float, degrees: int) -> float:
    """The x with P(T <= x) = `probability`, which lies in 0.5..1, 1 excluded. Raises ValueError outside."""
    if not 0.5 <= probability < 1 or degrees < 1:
        raise ValueError(f"no quantile of t for probability {probability} and {degrees} degrees of freedom")
    low, high = 0.0, 1.0
    while t_cdf(high, degrees) < probability:
        high *= 2
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if t_cdf(middle, degrees) < probability else (low, middle)
    return high
