"""What the programs in `experiments/` share: one table or one figure from a folder of results."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from focusagent.results.drawing import Figure
from focusagent.results.frames import Results, load_results
from focusagent.results.paper_tables import paper_table
from focusagent.results.table import Table
from focusagent.results.tables import split_by_backbone

Measure = Callable[[Results, str, str], Table]
Draw = Callable[[Results, str, str], Figure | None]


def print_paper_table(number: str, about: str | None) -> None:
    """The papers' table beside what was measured; without a folder, the published figures alone."""
    folder, _ = _arguments(about, needs_folder=False)
    print(paper_table(number, load_results(folder) if folder else None).markdown())


def print_tables(measure: Measure, about: str | None) -> None:
    """The table for each benchmark and kind of backbone in a folder."""
    folder, _ = _arguments(about)
    for results, name, title in _parts(folder):
        if (table := measure(results, name, title)).rows:
            print(table.markdown())


def write_figures(draw: Draw, about: str | None) -> None:
    """The figure for each benchmark and kind of backbone, as PNG, SVG and CSV; its table, if it has one, is printed."""
    folder, out = _arguments(about)
    out.mkdir(parents=True, exist_ok=True)
    for results, name, title in _parts(folder):
        figure = draw(results, name, title)
        if figure is None:
            print(f"{title}: nothing to draw")
            continue
        (out / f"{figure.name}.png").write_bytes(figure.png)
        (out / f"{figure.name}.svg").write_text(figure.svg, encoding="utf-8")
        (out / f"{figure.name}.csv").write_text(figure.csv, encoding="utf-8")
        print(out / f"{figure.name}.png")
        if figure.table is not None:
            print(figure.table.markdown())


def _arguments(about: str | None, needs_folder: bool = True) -> tuple[Path, Path]:
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path, nargs=None if needs_folder else "?", help="a folder of results")
    parser.add_argument("--out", type=Path, default=Path("figures"), help="where figures go")
    given = parser.parse_args()
    return given.results, given.out


def _parts(folder: Path) -> list[tuple[Results, str, str]]:
    parts = []
    for kind, one in split_by_backbone(load_results(folder)):
        for benchmark in dict.fromkeys(one.episodes["benchmark"]):
            ids = one.episodes["id"][one.episodes["benchmark"] == benchmark]
            words = "scripted backbone" if kind == "scripted" else "language models"
            parts.append((one.where(ids), f"{benchmark or 'other'}_{kind}", f"{benchmark or 'other tasks'}, {words}"))
    return parts
