"""A table as data, and as CSV and Markdown."""

from __future__ import annotations

import html
import math
import re
from dataclasses import dataclass

from focusagent.printing import csv_text, printable

Cell = str | int | float


@dataclass(frozen=True)
class Table:
    """`name` is its file's; `notes` stand below it. An unknown figure is NaN and reads "n/a"."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()

    @property
    def group(self) -> str:
        """What the title says after its colon: benchmark and kind of backbone."""
        return self.title.partition(": ")[2] or self.title

    def csv(self) -> str:
        return csv_text(self.columns, ([_plain(cell) for cell in row] for row in self.rows))

    def markdown(self) -> str:
        lines = [f"### {self.title}", "", _line(self.columns), _line(["---"] * len(self.columns))]
        lines += [_line([_in_markdown(cell_text(cell)) for cell in row]) for row in self.rows]
        return "\n".join([*lines, "", *(f"{note}\n" for note in self.notes)])


def file_name(text: str) -> str:
    """A part of a file's name from what results say: they name no other folder."""
    return re.sub(r"[^\w.,=+-]", "_", text)[:80]


def _line(cells: list[str] | tuple[str, ...]) -> str:
    return "| " + " | ".join(cells) + " |"


def _in_markdown(text: str) -> str:
    """On one line, within its cell, and never read as markup."""
    return html.escape(printable(" ".join(text.split())), quote=False).replace("|", r"\|")


def _plain(cell: Cell) -> Cell:
    """Nothing for what is unknown; no digits that only arithmetic made."""
    return "" if _unknown(cell) else round(cell, 6) if isinstance(cell, float) else cell


def _unknown(cell: Cell) -> bool:
    return isinstance(cell, float) and math.isnan(cell)


def cell_text(cell: Cell) -> str:
    """Counts with separators; other figures with as many digits as their size deserves."""
    if isinstance(cell, str):
        return cell
    if _unknown(cell):
        return "n/a"
    if isinstance(cell, int) or cell == 0 or abs(cell) >= 1000:
        return f"{cell:,.0f}"
    return f"{cell:.1f}" if abs(cell) >= 10 else f"{cell:.2f}"
