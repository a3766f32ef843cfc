"""Steps with their needed lines, as `focusagent coverage` reads them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from focusagent.longpage.benchmarks import max_steps
from focusagent.longpage.names import TaskName
from focusagent.longpage.play import PlayedStep, play

MAX_RUNS = 2_000


def record(names: Sequence[TaskName], seeds: Iterable[int], out: Path) -> Iterator[tuple[TaskName, int, bool]]:
    """Play each task with each seed and append its steps to `out`. Yields task, seed and success as they end."""
    with out.open("w", encoding="utf-8") as file:
        for name in names:
            for seed in seeds:
                steps = list(play(name, seed, max_steps(name)))
                success = bool(steps) and steps[-1].reward == 1
                for row in _rows(name, seed, steps, success):
                    file.write(json.dumps(row, ensure_ascii=False) + "\n")
                file.flush()
                yield name, seed, success


def _rows(name: TaskName, seed: int, steps: Iterable[PlayedStep], success: bool) -> Iterator[dict[str, Any]]:
    for number, step in enumerate(steps):
        needed = step.needed(MAX_RUNS)
        if not needed.lines:
            continue
        yield {
            "source": "longpage",
            "task_id": f"{name}__seed{seed}",
            "step": number,
            "goal": step.goal,
            "axtree": step.axtree,
            "needed": [list(pair) for pair in needed.lines.pairs],
            "needed_complete": needed.complete,
            "action": step.plan[0],
            "history": [list(pair) for pair in zip(step.thoughts, step.actions, strict=True)],
            "outcome": "success" if success else "failure",
            "action_error": step.error,
        }
