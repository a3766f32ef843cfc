"""What a study has reached so far, live: read from its ledger, so every backend shows the same."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from focusagent.results.ledger import Ledger

LOOK_EVERY = 1.0


@dataclass(frozen=True)
class Tally:
    """Sums over the attempts that ended and count; `cost` is over all that were paid for, in dollars."""

    ended: int
    successes: int
    errors: int
    tokens_full: float
    tokens_pruned: float
    cost: float
    unknown_cost: bool

    @classmethod
    def of(cls, ledger: Ledger) -> Tally:
        ended = [attempt for attempt in ledger.current if attempt.status in ("done", "error")]
        return cls(
            ended=len(ended),
            successes=sum(one.reward >= 1 for one in ended),
            errors=sum(one.status == "error" for one in ended),
            tokens_full=sum(one.tokens_full for one in ended),
            tokens_pruned=sum(one.tokens_pruned for one in ended),
            cost=ledger.cost,
            unknown_cost=ledger.cost_unknown,
        )

    @property
    def text(self) -> str:
        pruned = f", {1 - self.tokens_pruned / self.tokens_full:.0%} of tokens pruned" if self.tokens_full else ""
        cost = f", ${self.cost:.2f}{' and unknown' if self.unknown_cost else ''}" if self.cost else ""
        errors = f", {self.errors} errors" if self.errors else ""
        return f"{self.successes} of {self.ended} solved{pruned}{cost}{errors}"


@contextmanager
def live_progress(ledger: Ledger, total: int, console: Console) -> Iterator[None]:
    """A bar that counts the ended episodes of the ledger, and the tally beside it."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, TextColumn("{task.fields[tally]}"), console=console, transient=False) as progress:
        task = progress.add_task("episodes", total=total, tally="")
        over = threading.Event()
        watcher = threading.Thread(target=_watch, args=(ledger, progress, task, over), daemon=True)
        watcher.start()
        try:
            yield
        finally:
            over.set()
            watcher.join()
            _show(ledger, progress, task)


def _watch(ledger: Ledger, progress: Progress, task: TaskID, over: threading.Event) -> None:
    while not over.wait(LOOK_EVERY):
        _show(ledger, progress, task)


def _show(ledger: Ledger, progress: Progress, task: TaskID) -> None:
    tally = Tally.of(ledger)
    progress.update(task, completed=tally.ended, tally=tally.text)
