"""WebArena's list of tasks, read as a file: importing its package loads a browser's client."""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any


@lru_cache(maxsize=1)
def webarena_tasks() -> list[dict[str, Any]]:
    """The 812 tasks as the package ships them: `task_id`, `intent`, `start_url`, ...; none where it is missing."""
    spec = find_spec("webarena")
    for root in (spec.submodule_search_locations or []) if spec else []:
        path = Path(root) / "test.raw.json"
        if path.is_file():
            tasks: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
            return tasks
    return []
