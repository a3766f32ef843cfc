"""Where a table cell's meaning stands: its row, its table and the header of its column."""

from __future__ import annotations

from focusagent.retrieval.local.page import PageView

TABLES = frozenset({"table", "grid", "treegrid"})
CELLS = frozenset({"cell", "gridcell", "rowheader"})


def table_contexts(page: PageView) -> dict[int, tuple[int, ...]]:
    """Index of each cell -> the indexes of its table, its column's header, the row of that one and its own."""
    headers: dict[int, list[int]] = {}
    found: dict[int, tuple[int, ...]] = {}
    cells_of: dict[int, int] = {}
    for index, line in enumerate(page.lines):
        row = page.parent[index]
        if row < 0 or (line.role not in CELLS and line.role != "columnheader"):
            continue
        table = _table(page, row)
        place = cells_of[row] = cells_of.get(row, -1) + 1
        if line.role == "columnheader":
            headers.setdefault(table, []).append(index)
        else:
            column = headers.get(table, [])[place : place + 1]
            heads = [page.parent[each] for each in column]
            found[index] = tuple(each for each in (table, *heads, *column, row) if each >= 0)
    return found


def _table(page: PageView, row: int) -> int:
    """The table at most three levels above a row, -1 where there is none."""
    index = row
    for _ in range(3):
        index = page.parent[index]
        if index < 0 or page.lines[index].role in TABLES:
            return index
    return -1
