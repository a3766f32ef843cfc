"""What differs between two databases: against a plain comparison of all rows, and what does not count."""

from __future__ import annotations

import sqlite3
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focusagent.apps.database import RowChange, World, difference

ROWS = st.dictionaries(st.integers(1, 6), st.tuples(st.text("ab", max_size=2), st.integers(0, 2)), max_size=6)


def _write(path: Path, rows: dict[int, tuple[str, int]]) -> Path:
    with sqlite3.connect(path) as connection:
        connection.execute('CREATE TABLE "odd name" (id INTEGER PRIMARY KEY, text TEXT, seen INTEGER)')
        connection.executemany('INSERT INTO "odd name" VALUES (?, ?, ?)', [(key, *row) for key, row in rows.items()])
    connection.close()
    return path


@given(ROWS, ROWS)
def test_every_row_that_differs_is_told_once(
    before: dict[int, tuple[str, int]], after: dict[int, tuple[str, int]]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        start, now = _write(Path(folder, "start"), before), _write(Path(folder, "now"), after)
        found = difference(start, now, volatile={"odd name": ["seen"]})
    told = {
        (change.before or change.after or {})["id"]: (
            change.before["text"] if change.before else None,
            change.after["text"] if change.after else None,
        )
        for change in found
    }
    wanted = {}
    for key in {*before, *after}:
        pair = (before[key][0] if key in before else None, after[key][0] if key in after else None)
        if pair[0] != pair[1]:
            wanted[key] = pair
    assert told == wanted
    assert len(found) == len(wanted)


def test_a_row_without_a_key_is_added_and_removed(tmp_path: Path) -> None:
    for name, value in (("start", "old"), ("now", "new")):
        with sqlite3.connect(tmp_path / name) as connection:
            connection.execute("CREATE TABLE pairs (left TEXT)")
            connection.execute("INSERT INTO pairs VALUES (?)", (value,))
        connection.close()
    assert difference(tmp_path / "start", tmp_path / "now") == [
        RowChange("pairs", None, {"left": "new"}),
        RowChange("pairs", {"left": "old"}, None),
    ]


def test_ignored_tables_and_columns_of_every_table_do_not_count(tmp_path: Path) -> None:
    start, now = _write(tmp_path / "start", {1: ("a", 0)}), _write(tmp_path / "now", {1: ("b", 1)})
    assert [change.columns for change in difference(start, now)] == [{"text", "seen"}]
    assert [change.columns for change in difference(start, now, volatile={"*": ["seen"]})] == [{"text"}]
    assert difference(start, now, ignored=["odd name"]) == []


def test_a_world_is_only_read(tmp_path: Path) -> None:
    world = World(_write(tmp_path / "start", {1: ("a", 0), 2: ("b", 0)}).parent, "start")
    assert world.texts('SELECT text FROM "odd name" ORDER BY id') == ["a", "b"]
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        world.rows('DELETE FROM "odd name"')
    world.close()
