"""Steps with their needed lines, as `focusagent coverage` reads them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from focusagent.actions import bids_of
from focusagent.longpage.play import PlayedStep, play

MAX_RUNS = 2_000
Need = Literal["lines", "target", "answers"]


def record(
    limits: Mapping[str, int], seeds: Iterable[int], out: Path, need: Need = "lines"
) -> Iterator[tuple[str, int, bool]]:
    """Play each task with each seed and write its steps to `out`. `limits` are the steps allowed, by task name. Yields
    task, seed and success as they end.

    With `need="target"` a step tells the element acted on instead of the needed lines, as public traces do; steps that
    act on no element are left out then. With `need="answers"` only the steps that answer are written."""
    with out.open("w", encoding="utf-8") as file:
        for name, limit in limits.items():
            for seed in seeds:
                steps = list(play(name, seed, limit))
                success = bool(steps) and steps[-1].reward == 1
                for row in _rows(name, seed, steps, success, need):
                    file.write(json.dumps(row, ensure_ascii=False) + "\n")
                file.flush()
                yield name, seed, success


def _rows(name: str, seed: int, steps: Iterable[PlayedStep], success: bool, need: Need) -> Iterator[dict[str, Any]]:
    for number, step in enumerate(steps):
        if need == "answers" and not step.plan[0].startswith("send_msg_to_user("):
            continue
        needs = _target(step) if need == "target" else _needed(step)
        if needs is None:
            continue
        yield {
            "source": name.partition(".")[0],
            "task_id": f"{name}.seed{seed}",
            "step": number,
            "goal": step.goal,
            "axtree": step.axtree,
            **needs,
            "action": step.plan[0],
            "history": [list(pair) for pair in zip(step.thoughts, step.actions, strict=True)],
            "outcome": "success" if success else "failure",
            "action_error": step.error,
        }


def _needed(step: PlayedStep) -> dict[str, Any] | None:
    needed = step.needed(MAX_RUNS)
    if not needed.lines:
        return None
    return {"needed": [list(pair) for pair in needed.lines.pairs], "needed_complete": needed.complete}


def _target(step: PlayedStep) -> dict[str, Any] | None:
    bids = bids_of(step.plan[0])
    return {"target_id": bids[0]} if bids else None
