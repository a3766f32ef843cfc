"""For applications that keep files and no database: each file is a row of the table `files`."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatch
from pathlib import Path

from focusagent.apps.database import Row, RowChange

TABLE = "files"


def file_difference(start: Path, now: Path, ignored: Sequence[str] = ()) -> list[RowChange]:
    """Files added, removed or changed; `ignored` are patterns of paths relative to the folder."""
    before, after = _files(start, ignored), _files(now, ignored)
    names = sorted({*before, *after})
    return [
        RowChange(TABLE, before.get(name), after.get(name)) for name in names if before.get(name) != after.get(name)
    ]


def _files(folder: Path, ignored: Sequence[str]) -> dict[str, Row]:
    found: dict[str, Row] = {}
    for path in folder.rglob("*"):
        name = path.relative_to(folder).as_posix()
        if not any(fnmatch(name, pattern) for pattern in ignored):
            content = path.read_bytes().decode("utf-8", "replace") if path.is_file() else "(a folder)"
            found[name] = {"path": name, "content": content}
    return found
