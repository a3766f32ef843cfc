"""A line for each call as soon as it is over, in a file of the episode that made it.

What a step has cost is recorded at its end. A step that fails, or a worker that is killed, has paid all the same."""

from __future__ import annotations

import json
import threading
from contextlib import suppress
from pathlib import Path

from focusagent.models.call import Call

FILE = "calls.jsonl"
_lock = threading.Lock()
_file: Path | None = None


def log_calls(folder: str | Path | None) -> None:
    """From now on this process writes its calls into `folder`; nowhere for None. Episodes of a process run one after
    the other, so there is one file at a time."""
    global _file
    with _lock:
        _file = Path(folder) / FILE if folder is not None else None


def log(call: Call) -> None:
    """A full disk or a folder that is gone loses the line, not the call."""
    with _lock, suppress(OSError):
        if _file is None:
            return
        line = {
            "model": call.model,
            "label": call.label,
            "input_tokens": call.input_tokens,
            "output_tokens": call.output_tokens,
            "cost": call.cost,
            "error": call.error,
        }
        with _file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
