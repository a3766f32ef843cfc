"""Task names: `apps.<app>.<template>`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class AppTaskName:
    app: str
    task: str

    @classmethod
    def parse(cls, name: str) -> AppTaskName:
        """Raises ValueError for anything that is not a task name; whether the app has the task is not checked."""
        head, *parts = name.split(".")
        if head != "apps" or len(parts) != 2 or not all(parts):
            raise ValueError(f"not a task name of apps: {name!r}")
        return cls(*parts)

    def __str__(self) -> str:
        return f"apps.{self.app}.{self.task}"
