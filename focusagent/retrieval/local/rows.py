"""What tells a table's row from the others, and the label in the cell beside a field."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from focusagent.axtree import AxLine
from focusagent.retrieval.local.kinds import ACTIVE

CELLS = frozenset({"cell", "gridcell", "rowheader", "LayoutTableCell"})
ROWS = frozenset({"row", "LayoutTableRow"})


def row_of(lines: Sequence[AxLine], parent: Sequence[int]) -> list[int]:
    """For each line the index of the row around it, itself included; -1 outside of rows."""
    found = [-1] * len(lines)
    for index, line in enumerate(lines):
        found[index] = index if line.role in ROWS else found[parent[index]] if parent[index] >= 0 else -1
    return found


def tellers(lines: Sequence[AxLine], kinds: Sequence[str], row: Sequence[int], named: Sequence[bool]) -> dict[int, int]:
    """Index of each row -> index of the line that tells it from the others: itself where it is named, else its header,
    else the first line whose name no other row of the page has, else the first that is no control."""
    uses: Counter[str] = Counter()
    members: dict[int, list[int]] = {}
    for index, head in enumerate(row):
        if head >= 0 and head != index and named[index]:
            members.setdefault(head, []).append(index)
    for held in members.values():
        uses.update({lines[index].name for index in held})
    found: dict[int, int] = {}
    for head, held in members.items():
        telling = [index for index in held if uses[lines[index].name] == 1]
        headers = [index for index in telling if lines[index].role == "rowheader"]
        texts = [index for index in held if kinds[index] not in ACTIVE]
        if named[head]:
            found[head] = head
        elif best := headers[:1] or telling[:1] or texts[:1]:
            found[head] = best[0]
    return found


def label_beside(lines: Sequence[AxLine], parent: Sequence[int], named: Sequence[bool]) -> dict[int, int]:
    """Index of each cell -> index of the last named line of the cells before it in its row."""
    found: dict[int, int] = {}
    last: dict[int, int] = {}
    cell = [-1] * len(lines)
    for index, line in enumerate(lines):
        up = parent[index]
        cell[index] = index if line.role in CELLS else cell[up] if up >= 0 else -1
        if line.role in CELLS and up in last:
            found[index] = last[up]
        if named[index] and cell[index] >= 0:
            last[parent[cell[index]]] = index
    return found
