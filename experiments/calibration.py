"""How sure `local` may be: a logistic of what it says, fitted to what held on sites that it was not fitted on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from focusagent.coverage.measure import Measured


def held(one: Measured) -> bool:
    """Whether all that the step needed was kept."""
    return all(known is not False for known in (one.covered, one.in_context, one.answered))


def calibration(measured: Sequence[Measured]) -> tuple[float, float]:
    """(base, slope) such that held steps are as many as 1 / (1 + exp(-(base + slope * log odds))) says, each site's
    steps counted as one. The confidences measured must be uncalibrated."""
    counts: dict[str, int] = {}
    for one in measured:
        counts[one.step.cluster] = counts.get(one.step.cluster, 0) + 1
    odds, truth, weight = [], [], []
    for one in measured:
        if one.confidence is not None:
            sure = min(max(one.confidence, 1e-6), 1 - 1e-6)
            odds.append(math.log(sure / (1 - sure)))
            truth.append(1.0 if held(one) else -1.0)
            weight.append(1 / counts[one.step.cluster])
    x, y, w = np.array(odds), np.array(truth), np.array(weight)

    def loss(line: NDArray[np.float64]) -> float:
        return float(w @ np.logaddexp(0, -y * (line[0] + line[1] * x)))

    base, slope = minimize(loss, np.array([0.0, 1.0]), method="Nelder-Mead").x
    return float(base), float(slope)


def reliability(measured: Sequence[Measured], bounds: Sequence[float] = (0.0, 0.8, 0.9, 0.95, 0.98, 1.0)) -> list[str]:
    """Markdown rows: confidence from and to, steps, mean confidence, share that held."""
    rows = ["| confidence | steps | mean | held |", "| --- | --- | --- | --- |"]
    for low, high in pairwise(bounds):
        ones = [one for one in measured if one.confidence is not None and low <= one.confidence < high + (high == 1)]
        if ones:
            mean = sum(one.confidence or 0.0 for one in ones) / len(ones)
            share = sum(map(held, ones)) / len(ones)
            rows.append(f"| {low:.2f} to {high:.2f} | {len(ones)} | {mean:.3f} | {share:.3f} |")
    return rows
