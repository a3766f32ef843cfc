"""The papers' figures as data. A cell that the papers (or the notes on them) do not give has no row: it reads
"not quoted" in a table and is never filled by guess."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

NOT_QUOTED = "not quoted"
VERSIONS = {
    "v1": "arXiv 2510.03204, October 2025",
    "v2": "TMLR 2026, as on the authors' project page",
}


@dataclass(frozen=True)
class Published:
    """One figure. Shares in percent, costs in dollars. `error` is its standard error where given; `secondary` marks
    figures from notes on the paper, not from its text."""

    version: str
    table: str
    benchmark: str
    backbone: str
    agent: str
    retriever_model: str
    attack: str
    figure: str
    value: float
    error: float | None
    secondary: bool
    remark: str

    @property
    def text(self) -> str:
        error = f" ±{self.error:g}" if self.error is not None else ""
        return f"{self.value:g}{error}{' (s)' if self.secondary else ''}"


@lru_cache(maxsize=1)
def published() -> tuple[Published, ...]:
    """All figures, in the order of the papers' tables."""
    text = files("focusagent.results").joinpath("published.csv").read_text("utf-8")
    return tuple(
        Published(
            **{key: row[key] for key in _TEXTS},
            value=float(row["value"]),
            error=float(row["error"]) if row["error"] else None,
            secondary=row["secondary"] == "yes",
        )
        for row in csv.DictReader(text.splitlines())
    )


_TEXTS = "version table benchmark backbone agent retriever_model attack figure remark".split()


def find(figure: str, versions: Sequence[str] = ("v2", "v1"), **where: str) -> Published | None:
    """The first figure that fits `where` in the first of `versions` that has one."""
    for version in versions:
        for row in published():
            fits = all(getattr(row, key) == value for key, value in where.items())
            if row.version == version and row.figure == figure and fits:
                return row
    return None


def plain_model(name: str) -> str:
    """A model's name as the papers' tables write it: no provider, no date."""
    bare = re.sub(r"(-\d{8}|-\d{4}-\d\d-\d\d)$", "", name.rpartition("/")[2].lower())
    bare = bare.replace("claude-3-7", "claude-3.7").replace("qwen3-embedding", "qwen3-embed")
    return bare.removesuffix("-2507")


def quoted(figure: str, **where: str) -> str:
    """The figure with its version, or "not quoted"."""
    row = find(figure, **where)
    return f"{row.text} [{row.version}]" if row else NOT_QUOTED
