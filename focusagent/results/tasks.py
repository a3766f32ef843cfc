"""What a task's name says: its benchmark, its template (the cluster of its errors), its kind and size."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from focusagent.compat.webarena import webarena_tasks
from focusagent.sizes import SIZES

_KIND_COLUMNS = {
    "workarena": "category",
    "webarena": "sites",
    "webarena_verified": "sites",
    "webarenalite": "sites",
    "visualwebarena": "sites",
    "miniwob": "miniwob_category",
}


@dataclass(frozen=True)
class TaskName:
    """`template` is what an episode's seed and size vary: episodes of one template are not independent, so standard
    errors are clustered by it. For WebArena it is the benchmark's own intent template where its package is
    installed; for WorkArena and MiniWoB the task; for LongPage site and task, whatever size and events."""

    name: str
    benchmark: str
    template: str
    kind: str
    size: str = ""

    @property
    def site(self) -> str:
        """WebArena's sites, LongPage's site, else the kind, else the benchmark."""
        kind = self.kind.partition(" ")[0] if self.benchmark == "longpage" else self.kind
        return kind or self.benchmark or self.name


@lru_cache(maxsize=4096)
def task_name(name: str) -> TaskName:
    """Never fails: a name of no known benchmark is its own template."""
    benchmark, _, rest = name.partition(".")
    parts = rest.split(".")
    if benchmark == "longpage" and len(parts) >= 3:
        size = next((part for part in parts if part in SIZES), "")
        return TaskName(name, benchmark, f"{benchmark}.{parts[0]}.{parts[1]}", f"{parts[0]} {parts[1]}", size)
    kind = _kinds(benchmark).get(name, "")
    if benchmark in ("webarena", "webarenalite") and (template := _webarena_templates().get(parts[0])):
        return TaskName(name, benchmark, f"{benchmark}.template-{template}", kind)
    if benchmark == "workarena":
        verb = next((verb for verb in ("sort", "filter") if verb in rest), "")
        return TaskName(name, benchmark, name, verb or kind)
    return TaskName(name, benchmark, name, kind)


@lru_cache(maxsize=16)
def _kinds(benchmark: str) -> dict[str, str]:
    """Task -> kind from the metadata that BrowserGym ships, read as a file: importing it loads a browser's client."""
    column = _KIND_COLUMNS.get(benchmark)
    spec = find_spec("browsergym") if column else None
    for root in (spec.submodule_search_locations or []) if spec else []:
        path = Path(root) / "experiments" / "benchmark" / "metadata" / f"{benchmark}.csv"
        if path.is_file():
            with path.open(encoding="utf-8") as file:
                return {row["task_name"]: row.get(column or "", "") for row in csv.DictReader(file)}
    return {}


@lru_cache(maxsize=1)
def _webarena_templates() -> dict[str, str]:
    """WebArena task id -> intent template id; empty where the `webarena` package is not installed."""
    return {str(task["task_id"]): str(task["intent_template_id"]) for task in webarena_tasks()}
