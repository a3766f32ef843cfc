"""Coverage in context against pruning: one curve a retriever over its own knob, one point where it has none."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from focusagent.coverage.summary import Summary

COLOURS = (*(f"C{number}" for number in range(10)), "black", "gold")
MARKERS = "osD^vP*X<>dhp"  # one more than colours: no two of the first 156 families look the same
Curves = Mapping[str, Sequence[Summary]]


def draw(curves: Curves, folder: Path, name: str = "coverage") -> list[Path]:
    """Write `name`.png and `name`.svg. `curves` maps a family of retrievers to its summaries over all steps."""
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 5.5), layout="constrained")
    FigureCanvasSVG(figure)
    axes = figure.add_subplot()
    for index, (family, summaries) in enumerate(curves.items()):
        points = sorted((one.pruning_mean, _height(one)) for one in summaries if not math.isnan(_height(one)))
        if points:
            style = {
                "marker": MARKERS[index % len(MARKERS)],
                "color": COLOURS[index % len(COLOURS)],
                "label": family,
            }
            axes.plot(*zip(*points, strict=True), linewidth=1.2, markersize=5, linestyle="-", **style)  # type: ignore[arg-type]
    axes.set_xlabel("pruning: share of the page's tokens removed, mean over steps")
    axes.set_ylabel("steps whose target survives in context")
    axes.set_xlim(-0.02, 1)
    axes.set_ylim(0, 1.02)
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8, loc="lower left")
    paths = [folder / f"{name}.{kind}" for kind in ("png", "svg")]
    for path in paths:
        figure.savefig(path, dpi=150, metadata={"Date": None} if path.suffix == ".svg" else None)
    return paths


def _height(one: Summary) -> float:
    """Coverage in context; plain coverage where the steps name needed lines, which have no context of their own."""
    return one.coverage.mean if math.isnan(one.context.mean) else one.context.mean
