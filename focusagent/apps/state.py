"""What a validator may look at during an episode: how the database changed, and where the browser stands."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from focusagent.apps.database import RowChange, difference, open_read_only
from focusagent.apps.files import file_difference
from focusagent.apps.spec import AppSpec


class AppState:
    """The running copy beside the snapshot it started from. Reads only."""

    def __init__(self, start: Path, data: Path, spec: AppSpec) -> None:
        self._start, self._data, self._spec = start, data, spec
        self._version: object = None
        self._change: list[RowChange] = []
        self._connection = open_read_only(data / spec.database) if spec.database else None
        self.address = ""  # the page's address without its origin

    def change(self) -> list[RowChange]:
        """The rows that differ from the start. Computed anew only after a commit."""
        if self._connection is None:
            return file_difference(self._start, self._data, self._spec.ignored_tables)
        version = self._connection.execute("PRAGMA data_version").fetchone()[0]
        if version != self._version:
            spec = self._spec
            start, now = self._start / spec.database, self._data / spec.database
            self._change = difference(start, now, spec.ignored_tables, spec.volatile_columns)
            self._version = version
        return self._change

    @property
    def path(self) -> str:
        """The address's path."""
        return urlsplit(self.address).path

    @property
    def parameters(self) -> dict[str, str]:
        """The address's parameters; of those given twice the last one."""
        return dict(parse_qsl(urlsplit(self.address).query))

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
