"""The one guard between a page and a defended agent's prompt: whatever goes wrong, nothing of the page gets through."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

Result = TypeVar("Result")
_LONGEST = 200


@dataclass
class FailClosed:
    """Runs what reads, vets or judges a page. What it raises is recorded, and the step goes on with what shows nothing:
    a page can make code raise, and an exception would end the episode or, caught elsewhere, open a road.

    `failures`: stage and error of the step at hand, in order, for the record and never for a prompt."""

    failures: list[str] = field(default_factory=list)

    def run(self, stage: str, work: Callable[[], Result], otherwise: Callable[[], Result]) -> Result:
        """What `work` returns or, where it raises, what `otherwise` does; that must not read what raised."""
        try:
            return work()
        except Exception as error:
            self.failures.append(f"{stage}: {type(error).__name__}: {error}"[:_LONGEST])
            return otherwise()

    def take(self) -> tuple[str, ...]:
        """The failures so far, which are forgotten."""
        taken = tuple(self.failures)
        self.failures.clear()
        return taken
