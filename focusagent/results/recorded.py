"""Single steps of recorded episodes with their pages: what the tables' index leaves out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from focusagent.axtree import LineRanges
from focusagent.results.frames import Results
from focusagent.results.records import UnreadableRecord, get, read_record


@dataclass(frozen=True)
class RecordedStep:
    """One step with its page. `ours` is what our agents recorded, {} for other agents; nothing in it is certain to be
    of the kind that this version writes. `boxes` are [left, top, width, height] of each bid on the screenshot."""

    agent: str
    task: str
    number: int
    goal: str
    page: str
    ours: dict[str, Any]
    boxes: dict[str, Any]
    screenshot: Path

    @property
    def title(self) -> str:
        return f"{self.agent} on {self.task}, step {self.number}"

    def ranges(self, field: str) -> LineRanges:
        pairs = self.ours.get(field)
        return LineRanges.of(map(tuple, filter(_is_pair, pairs if isinstance(pairs, list | tuple) else ())))

    def text(self, field: str) -> str:
        return str(self.ours.get(field) or "")


def _is_pair(value: object) -> bool:
    return isinstance(value, list | tuple) and len(value) == 2 and all(type(part) is int for part in value)


def steps_by(results: Results, mask: Any, by: str) -> Iterator[RecordedStep]:
    """Recorded steps that `mask` chooses, those with the most of `by` first. Unreadable ones are passed over."""
    chosen = results.steps[mask & (results.steps["asked"] == 1)].sort_values(by, ascending=False, kind="stable")
    folders = dict(zip(results.episodes["id"], results.episodes["folder"], strict=True))
    for row in chosen.to_dict("records"):
        folder, number = Path(folders[row["id"]]), int(row["step"])
        try:
            info = read_record(folder / f"step_{number}.pkl.gz")
        except UnreadableRecord:
            continue
        if page := str(get(info, "obs.axtree_txt", "")):
            yield RecordedStep(
                agent=row["agent"],
                task=row["task"],
                number=number,
                goal=str(get(info, "obs.goal", "")),
                page=page,
                ours=_mapping(get(info, "agent_info.extra_info.focusagent")),
                boxes=_mapping(get(info, "obs.element_boxes")),
                screenshot=folder / f"screenshot_step_{number}.png",
            )


def _mapping(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
