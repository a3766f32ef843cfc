"""What a study has reached so far, live: read from its folder, so every backend shows the same."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from focusagent.results.episode import Row
from focusagent.results.index import indexed_episode
from focusagent.results.records import UnreadableRecord

LOOK_EVERY = 1.0


@dataclass
class Tally:
    """Running sums over the episodes that ended; each folder is read once."""

    seen: set[Path] = field(default_factory=set)
    ended: int = 0
    successes: int = 0
    errors: int = 0
    tokens_full: float = 0
    tokens_pruned: float = 0
    cost: float = 0
    unknown_cost: bool = False

    def look(self, folder: Path) -> None:
        """Count what has ended below `folder` since the last look."""
        for summary in folder.glob("**/summary_info.json"):
            episode = summary.parent
            if episode in self.seen or episode.name.startswith(("_", ".")):
                continue
            with suppress(UnreadableRecord):
                self._count(indexed_episode(episode))
            self.seen.add(episode)

    def _count(self, row: Row) -> None:
        if row["episode"]["status"] == "incomplete":
            return
        self.ended += 1
        self.successes += (row["episode"].get("reward") or 0) >= 1
        self.errors += row["episode"]["status"] == "error"
        for step in row["steps"]:
            if step.get("axtree_tokens_full"):
                self.tokens_full += step["axtree_tokens_full"]
                self.tokens_pruned += step.get("axtree_tokens_shown", step.get("axtree_tokens_pruned")) or 0
            self.cost += step.get("cost") or 0
            self.unknown_cost |= bool(step.get("retriever_cost_unknown") or step.get("backbone_cost_unknown"))

    @property
    def text(self) -> str:
        pruned = f", {1 - self.tokens_pruned / self.tokens_full:.0%} of tokens pruned" if self.tokens_full else ""
        cost = f", ${self.cost:.2f}{' and unknown' if self.unknown_cost else ''}" if self.cost else ""
        errors = f", {self.errors} errors" if self.errors else ""
        return f"{self.successes} of {self.ended} solved{pruned}{cost}{errors}"


@contextmanager
def live_progress(folder: Path, total: int, console: Console, tally: Tally) -> Iterator[None]:
    """A bar that counts ended episodes below `folder`, and the tally beside it."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, TextColumn("{task.fields[tally]}"), console=console, transient=False) as progress:
        task = progress.add_task("episodes", total=total, tally="")
        over = threading.Event()
        watcher = threading.Thread(target=_watch, args=(folder, progress, task, tally, over), daemon=True)
        watcher.start()
        try:
            yield
        finally:
            over.set()
            watcher.join()
            tally.look(folder)
            progress.update(task, completed=tally.ended, tally=tally.text)


def _watch(folder: Path, progress: Progress, task: TaskID, tally: Tally, over: threading.Event) -> None:
    while not over.wait(LOOK_EVERY):
        tally.look(folder)
        progress.update(task, completed=tally.ended, tally=tally.text)
