"""Task names: `longpage.<site>.<task>.<size>[.events]`."""

from __future__ import annotations

from dataclasses import dataclass

from focusagent.sizes import SIZES, Size


@dataclass(frozen=True)
class TaskName:
    site: str
    task: str
    size: Size
    events: bool = False

    @classmethod
    def parse(cls, name: str) -> TaskName:
        """Raises ValueError for anything that is not a task name; whether the site has the task is not checked."""
        head, *parts = name.split(".")
        events = parts[3:] == ["events"]
        if head != "longpage" or len(parts) != 3 + events:
            raise ValueError(f"not a LongPage task name: {name!r}")
        size = next((size for size in SIZES if size == parts[2]), None)
        if size is None:
            raise ValueError(f"unknown size in {name!r}; there are {', '.join(SIZES)}")
        return cls(parts[0], parts[1], size, events)

    def __str__(self) -> str:
        return f"longpage.{self.site}.{self.task}.{self.size}{'.events' if self.events else ''}"
