"""What an application's database holds, and how it differs from the start of the episode. Only ever read."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Value = str | int | float | bytes | None
Row = Mapping[str, Value]
EVERY_TABLE = "*"
BUSY_SECONDS = 10.0


@dataclass(frozen=True)
class RowChange:
    """One row that differs: `before` is None where it was added, `after` where it was removed. Both hold the whole row
    but for the columns that change by themselves."""

    table: str
    before: Row | None
    after: Row | None

    @property
    def columns(self) -> frozenset[str]:
        """Names of the columns whose value changed; none where the row was added or removed."""
        if self.before is None or self.after is None:
            return frozenset()
        return frozenset(name for name, value in self.after.items() if self.before[name] != value)

    def __str__(self) -> str:
        if self.before is None:
            return f"added to {self.table}"
        if self.after is None:
            return f"removed from {self.table}"
        return f"changed {'/'.join(sorted(self.columns))} in {self.table}"


class World:
    """What the application remembers at the start of an episode, for choosing what to ask: its `folder`, and its
    database where it has one. A query must state the order of its rows."""

    def __init__(self, folder: Path, database: str = "") -> None:
        self.folder = folder
        self._connection = open_read_only(folder / database) if database else sqlite3.connect(":memory:")

    def rows(self, query: str, *values: Value) -> list[dict[str, Any]]:
        """The rows as name -> value."""
        return [dict(row) for row in self._connection.execute(query, values)]

    def texts(self, query: str, *values: Value) -> list[str]:
        """The first column of each row as text."""
        return [str(row[0]) for row in self._connection.execute(query, values)]

    def close(self) -> None:
        self._connection.close()


def open_read_only(database: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True, timeout=BUSY_SECONDS)
    connection.row_factory = sqlite3.Row
    return connection


def difference(
    start: Path, now: Path, ignored: Collection[str] = (), volatile: Mapping[str, Sequence[str]] | None = None
) -> list[RowChange]:
    """Every row that `now` has and `start` has not, or the other way round, by table. Tables in `ignored` and columns
    in `volatile` (by table; `*` for all tables) do not count. A row is the same one where its primary key is."""
    connection = open_read_only(now)
    try:
        connection.execute("ATTACH ? AS start", (f"{start.absolute().as_uri()}?mode=ro",))
        found: list[RowChange] = []
        for table in _tables(connection):
            if table in ignored:
                continue
            found += _table_difference(connection, table, _moving(table, volatile or {}))
        return found
    finally:
        connection.close()


def _tables(connection: sqlite3.Connection) -> list[str]:
    query = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
    return [row[0] for row in connection.execute(query)]


def _moving(table: str, volatile: Mapping[str, Sequence[str]]) -> set[str]:
    return {*volatile.get(EVERY_TABLE, ()), *volatile.get(table, ())}


def _table_difference(connection: sqlite3.Connection, table: str, moving: set[str]) -> Iterator[RowChange]:
    described = connection.execute(f"PRAGMA main.table_info({_quoted(table)})").fetchall()
    names = [row["name"] for row in described if row["name"] not in moving]
    keys = [row["name"] for row in described if row["pk"] and row["name"] in names]
    chosen = ", ".join(_quoted(name) for name in names)
    source = f"SELECT {chosen} FROM {{}}.{_quoted(table)}"
    now, then = source.format("main"), source.format("start")
    added = [dict(row) for row in connection.execute(f"{now} EXCEPT {then}")]
    removed = [dict(row) for row in connection.execute(f"{then} EXCEPT {now}")]
    gone = {tuple(row[key] for key in keys): row for row in removed} if keys else {}
    for row in added:
        before = gone.pop(tuple(row[key] for key in keys), None) if keys else None
        yield RowChange(table, before, row)
    for row in gone.values() if keys else removed:
        yield RowChange(table, row, None)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
