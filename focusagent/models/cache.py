"""Answers kept on disk, so that a rerun of the same prompts asks no model. Never in a study of success."""

from __future__ import annotations

import hashlib
import json
import os
import threading
from contextlib import suppress
from dataclasses import asdict, fields
from pathlib import Path

from focusagent.models.call import Call
from focusagent.models.endpoint import Endpoint
from focusagent.models.failure import ConfigError
from focusagent.models.request import Request


class AnswerCache:
    """One JSON file a call, under a key of model, address, prompt and sampling. Failures are never kept; a file that
    cannot be read counts as missing, and one that cannot be written (a full disk) is left out.

    Raises ConfigError for a folder that cannot be made."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigError(f"no folder for answers at {self.folder}: {error.strerror or error}") from error

    def get(self, endpoint: Endpoint, request: Request) -> Call | None:
        try:
            stored = json.loads(self._path(endpoint, request).read_text(encoding="utf-8"))
            return Call(**{field.name: stored[field.name] for field in fields(Call) if field.name != "messages"})
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def put(self, endpoint: Endpoint, request: Request, call: Call) -> None:
        """Keep an answer. It is paid for, so nothing that goes wrong here is worth losing it."""
        stored = asdict(call)
        del stored["messages"]
        written = self._path(endpoint, request).with_suffix(f".{os.getpid()}.{threading.get_ident()}.part")
        try:
            written.write_text(json.dumps(stored), encoding="utf-8")
            os.replace(written, self._path(endpoint, request))
        except OSError:
            with suppress(OSError):
                written.unlink()

    def _path(self, endpoint: Endpoint, request: Request) -> Path:
        parts = [endpoint.provider, endpoint.address, endpoint.model, *(asdict(request)[name] for name in _SAMPLING)]
        key = hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()
        return self.folder / f"{key}.json"


_SAMPLING = ("messages", "temperature", "max_tokens", "schema")
