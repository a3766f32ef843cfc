"""One look for all figures: drawn without a display and without pyplot's global state, the same on every run."""

from __future__ import annotations

import io
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from focusagent.printing import csv_text
from focusagent.results.table import Table

COLOURS = ("#3b6fb6", "#d1793b", "#4f9d69", "#a34d8c", "#8c6d31", "#5aa7b5", "#b23b4a", "#6b6b6b")
MARKERS = "osD^vPX*"


@dataclass(frozen=True)
class Figure:
    """`csv` is the data behind it. `table` goes beside it where the papers have one."""

    name: str
    title: str
    png: bytes
    svg: str
    csv: str
    table: Table | None = None

    @property
    def group(self) -> str:
        """What the title says after its colon: benchmark and kind of backbone."""
        return self.title.partition(": ")[2] or self.title

    def write(self, folder: Path) -> None:
        """As PNG, SVG and CSV, into a folder that is made if it is not there."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{self.name}.png").write_bytes(self.png)
        (folder / f"{self.name}.svg").write_text(self.svg, encoding="utf-8")
        (folder / f"{self.name}.csv").write_text(self.csv, encoding="utf-8")


def legend(axes: Any) -> None:
    """Beside the axes, where it hides no point."""
    axes.legend(fontsize=8, loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)


def style(index: int) -> dict[str, Any]:
    """Colour and marker; none of the first 64 has both in common with another."""
    round_, colour = divmod(index, len(COLOURS))
    return {"color": COLOURS[colour], "marker": MARKERS[(index + round_) % len(MARKERS)], "markersize": 6}


def or_none(value: float) -> float | None:
    return None if math.isnan(value) else value


def figure(
    name: str,
    title: str,
    data: pd.DataFrame,
    draw: Callable[[Any], None],
    width: float = 7.0,
    height: float = 4.2,
    table: Table | None = None,
) -> Figure:
    """Draw without a display and without pyplot's global state. SVG and PNG are the same on every run."""
    import matplotlib as mpl
    from matplotlib.figure import Figure as Canvas

    look: dict[Any, Any] = {
        "svg.hashsalt": name,
        "svg.fonttype": "path",
        "text.parse_math": False,  # names come from results and may hold anything
        "axes.spines.top": False,
        "axes.spines.right": False,
    }
    with mpl.rc_context(look):
        canvas = Canvas(figsize=(width, height), layout="constrained")
        axes = canvas.subplots()
        draw(axes)
        axes.set_title(title, fontsize=10)
        axes.grid(alpha=0.25)
        png, svg = io.BytesIO(), io.StringIO()
        canvas.savefig(png, format="png", dpi=130, metadata={"Software": None})
        canvas.savefig(svg, format="svg", metadata={"Date": None})
    return Figure(name, title, png.getvalue(), svg.getvalue(), _csv(data), table)


def _csv(data: pd.DataFrame) -> str:
    """The data behind a figure, names of agents and tasks as safe text."""
    plain = data.astype(object).where(data.notna(), None)
    rows = ([f"{cell:.4g}" if isinstance(cell, float) else cell for cell in row] for row in plain.to_numpy().tolist())
    return csv_text([str(column) for column in data.columns], rows)
