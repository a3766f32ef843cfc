"""Each episode is read once: what was read lies in a small JSON file beside it until the episode changes."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

from focusagent.results.episode import Row, read_episode, step_files

INDEX_NAME = "focusagent_index.json"
FORMAT = 3


def indexed_episode(folder: Path) -> Row:
    """`read_episode(folder)`, from its index where that is fresh. A folder that cannot be written to is read anew
    each time. Raises UnreadableRecord as `read_episode` does."""
    path = folder / INDEX_NAME
    fingerprint = _fingerprint(folder)
    if (known := _read_index(path, fingerprint)) is not None:
        return known
    row = read_episode(folder) | {"format": FORMAT, "fingerprint": fingerprint}
    _write(path, json.dumps(row, ensure_ascii=False))
    return row


def _fingerprint(folder: Path) -> list[list[object]]:
    """Name, size and time of each file that is read."""
    files = [folder / name for name in ("exp_args.pkl", "summary_info.json", "package_versions.txt")]
    files += [path for _, path in step_files(folder)]
    stats = [(path.name, path.stat()) for path in files if path.exists()]
    return [[name, stat.st_size, stat.st_mtime_ns] for name, stat in stats]


def _read_index(path: Path, fingerprint: list[list[object]]) -> Row | None:
    try:
        row = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    fresh = isinstance(row, dict) and row.get("format") == FORMAT and row.get("fingerprint") == fingerprint
    return row if fresh and _whole(row) else None


def _whole(row: Row) -> bool:
    """Whether it has the parts that this module writes: a folder may be somebody else's."""
    episode, steps, left_out = (row.get(part) for part in ("episode", "steps", "left_out"))
    return (
        isinstance(episode, dict)
        and all(name in episode for name in ("agent", "task", "seed", "status", "started"))
        and isinstance(steps, list)
        and all(isinstance(step, dict) for step in steps)
        and isinstance(left_out, list)
    )


def _write(path: Path, text: str) -> None:
    """Whole or not at all, so that two readers at once do no harm."""
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(temporary, path)
    except OSError:
        return
