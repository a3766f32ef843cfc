"""Answers kept on disk, so that a rerun of the same prompts asks no model. Never in a study of success."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from dataclasses import asdict, fields
from pathlib import Path

from focusagent.models.call import Call
from focusagent.models.endpoint import Endpoint
from focusagent.models.request import Request


class AnswerCache:
    """One JSON file a call, under a key of model, address, prompt and sampling. Failures are never kept; a file that
    cannot be read counts as missing."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)

    def get(self, endpoint: Endpoint, request: Request) -> Call | None:
        try:
            stored = json.loads(self._path(endpoint, request).read_text(encoding="utf-8"))
            return Call(**{field.name: stored[field.name] for field in fields(Call) if field.name != "messages"})
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def put(self, endpoint: Endpoint, request: Request, call: Call) -> None:
        stored = asdict(call)
        del stored["messages"]
        with tempfile.NamedTemporaryFile("w", dir=self.folder, delete=False, encoding="utf-8") as file:
            json.dump(stored, file)
        os.replace(file.name, self._path(endpoint, request))

    def _path(self, endpoint: Endpoint, request: Request) -> Path:
        parts = [endpoint.provider, endpoint.address, endpoint.model, *(asdict(request)[name] for name in _SAMPLING)]
        key = hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()
        return self.folder / f"{key}.json"


_SAMPLING = ("messages", "temperature", "max_tokens", "schema")
