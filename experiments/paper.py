"""One table or one figure of the papers, or of the appendix, from a folder of results.

python experiments/paper.py NAME [RESULTS] [--out FOLDER]      (--help lists the names)

A table of the papers without RESULTS prints the published figures. Each name's configuration is in `configs/`: see
docs/fidelity.md. Figures are written to FOLDER as PNG, SVG and CSV."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path

from focusagent.results import figures, step_figures, tables
from focusagent.results.drawing import Figure
from focusagent.results.frames import Results, load_results
from focusagent.results.paper_tables import UNMEASURED, paper_table
from focusagent.results.table import Table

PAPER_TABLES = {"table-1": "1", "table-2": "2", "table-3": "3", "table-4a": "4a", "table-4b": "4b", "table-5-6": "5, 6"}
MEASURED: dict[str, Callable[[Results, str, str], Table]] = {
    "chunk-sizes": tables.agents_table,  # appendix E, on configs/chunk_sizes.yaml
    "costs": tables.cost_table,
    "differences": tables.differences_table,
    "kinds": tables.kinds_table,  # appendix C
    "latency": tables.latency_table,
}
FIGURES: dict[str, Callable[[Results, str, str], Figure | None]] = {
    "figure-3": figures.success_against_pruning,
    "figure-4-7-9": step_figures.pages,
    "figure-5": figures.attacks,
    "figure-7-8-10": step_figures.distributions,
    "figure-9b": step_figures.pages_zoomed,
    "figure-11": step_figures.clusters,  # with Table 7
    "figure-cost": figures.success_against_cost,  # the second version's
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=[*PAPER_TABLES, *MEASURED, *FIGURES])
    parser.add_argument("results", type=Path, nargs="?", help="a folder of results")
    parser.add_argument("--out", type=Path, default=Path("figures"), help="where figures go")
    given = parser.parse_args()
    if given.name not in PAPER_TABLES and given.results is None:
        parser.error(f"{given.name} needs a folder of results")
    if given.results is not None and not given.results.is_dir():
        parser.error(f"{given.results} is no folder of results")
    results = load_results(given.results) if given.results else None
    if given.name in PAPER_TABLES:
        table = paper_table(PAPER_TABLES[given.name], results)
        if results is not None and all(row[-1] == UNMEASURED for row in table.rows):
            raise SystemExit(f"{given.results} holds no row of {given.name}; configs/ has what to run for it")
        print(table.markdown())
        return
    for line in _made(given.name, results, given.out) if results else ():
        print(line)


def _made(name: str, results: Results, out: Path) -> Iterator[str]:
    """For each benchmark and kind of backbone the table, or the figure's file with its table if it has one."""
    for part in tables.parts_of(results):
        if name in MEASURED:
            table = MEASURED[name](part.results, part.name, part.title)
            yield table.markdown() if table.rows else f"{part.title}: nothing to tabulate"
            continue
        figure = FIGURES[name](part.results, part.name, part.title)
        if figure is None:
            yield f"{part.title}: nothing to draw"
            continue
        figure.write(out)
        yield str(out / f"{figure.name}.png")
        if figure.table is not None:
            yield figure.table.markdown()


if __name__ == "__main__":
    main()
