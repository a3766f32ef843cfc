"""Foreign text (a page's, a model's, a file's) made safe for a terminal and for a spreadsheet.

A terminal obeys escape sequences, a rich console obeys markup, and a spreadsheet runs cells that begin like a formula.
Whatever the package prints, and every CSV file it writes, passes here; a test holds that nothing else prints.
"""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

Cell = str | int | float | None

# What a terminal acts on or shows in another order than it stands: controls but tab and line feed, line and paragraph
# separators, overrides and isolates of direction, halves of surrogate pairs.
_ACTS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_FORMULA = re.compile(r"\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n]")
_NUMBER = re.compile(r"[+-]?[0-9][0-9.,]*(?:[eE][+-]?[0-9]+)?[ ]?%?")


def printable(text: str) -> str:
    """The text with each character that a terminal would act on as a visible escape, `\\x1b`. Idempotent."""
    return _ACTS.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"


def in_line(text: str) -> str:
    """Printable, and on one line."""
    return printable(" ".join(text.split()))


def say(text: str, *, error: bool = False) -> None:
    """Print a text as it is read, to standard output or, with `error`, to standard error."""
    print(printable(text), file=sys.stderr if error else sys.stdout, flush=True)


def say_json(data: Any) -> None:
    """Print data as one line of JSON in ASCII; strings come back whole, so nothing of theirs is lost."""
    print(json.dumps(data).replace("\x7f", "\\u007f"), flush=True)


def plain(text: str, style: str = "") -> Text:
    """Text for a cell or a line of a rich console; its brackets are no markup."""
    from rich.text import Text

    return Text(printable(text), style)


def tell(console: Console, text: str, *, wrap: bool = False) -> None:
    """Print a line on a rich console. With `wrap` at words; without, paths and commands can be copied whole."""
    console.print(plain(text), soft_wrap=not wrap)


def show(console: Console, table: Table) -> None:
    """Print a table that `add_row` filled."""
    console.print(table)


def add_row(table: Table, cells: Iterable[str | Text]) -> None:
    """A row of a rich table; a `Text` must come from `plain`."""
    table.add_row(*(plain(cell) if isinstance(cell, str) else cell for cell in cells))


def csv_cell(value: Cell) -> Cell:
    """The value for a CSV cell: numbers as they are, printable text, an apostrophe before what a spreadsheet would run.

    Text that is one number (`-5`, `+3.2 %`) is no formula and stays."""
    if not isinstance(value, str):
        return value
    if _FORMULA.match(value) and not _NUMBER.fullmatch(value):
        return "'" + printable(value)
    return printable(value)


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """A CSV file's text: a head and rows, each cell through `csv_cell`; None is an empty cell."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([csv_cell(column) for column in columns])
    writer.writerows([csv_cell(cell) for cell in row] for row in rows)
    return out.getvalue()
