"""Orphans: rows of which a control is shown that other rows have too, and nothing that tells the row from them.

An agent that sees such a control can only guess what it deletes or edits. All rows shown count, not the target's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from focusagent.axtree import AxTree
from focusagent.retrieval.controls import INTERACTIVE_ROLES

ROWS = frozenset({"row", "LayoutTableRow"})


@dataclass(frozen=True)
class Orphans:
    """`rows` show a control whose name another row has as well (or that has none) although something in them could tell
    them apart; of these `orphaned` show nothing that does."""

    rows: int
    orphaned: int


def orphans(page: AxTree, shown: Iterable[int]) -> Orphans:
    """Count the rows of `page` by what is left of them: `shown` are line numbers."""
    row_of = _rows(page)
    uses = Counter(name for _, name in {(row, page.line(number).name) for number, row in row_of.items()})
    telling = {number for number in row_of if page.line(number).name.strip() and uses[page.line(number).name] == 1}
    could_tell = {row_of[number] for number in telling}
    with_control, told = set[int](), set[int]()
    for number in shown:
        row = row_of.get(number, 0)
        if number in telling:
            told.add(row)
        elif row in could_tell and page.line(number).bid and page.line(number).role in CONTROLS:
            with_control.add(row)
    return Orphans(len(with_control), len(with_control - told))


def _rows(page: AxTree) -> dict[int, int]:
    """Number of each line in a row, the row's own included -> number of the nearest row around it."""
    found: dict[int, int] = {}
    for line in page.lines:
        row = line.number if line.role in ROWS else found.get(page.parent(line.number), 0)
        if row:
            found[line.number] = row
    return found


CONTROLS = INTERACTIVE_ROLES - {"gridcell", "option"}
