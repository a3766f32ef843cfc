"""What a study has paid: one line an attempt at an episode, whether it ended, failed or was cut off, and never less.

A failed attempt that is run again leaves no other trace in the tables, but it was paid for."""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from focusagent.models.call_log import FILE as CALLS
from focusagent.models.figures import dollars, whole
from focusagent.results.episode import Row
from focusagent.results.index import indexed_episode
from focusagent.results.jsonl import append_line, read_lines
from focusagent.results.records import UnreadableRecord
from focusagent.results.seal import seal

NAME = "ledger.jsonl"
DONE = "done"


@dataclass(frozen=True)
class Attempt:
    """One attempt. `id` is its folder's first name and the time when it began; `folder` is relative to the ledger's;
    `cost` is in dollars, as far as it is known, and `cost_unknown` says that there was more; `seal` is the folder's
    when the attempt was over."""

    id: str
    folder: str
    agent: str = ""
    task: str = ""
    seed: int = 0
    status: str = "unreadable"
    reward: float = 0.0
    cost: float = 0.0
    cost_unknown: bool = False
    tokens_full: float = 0.0
    tokens_pruned: float = 0.0
    seal: str = ""


class Ledger:
    """The ledger of the study in `root`. Safe to use from several threads; only one process may write."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.path = root / NAME
        self._lock = threading.Lock()
        self._attempts: dict[str, Attempt] = {attempt.id: attempt for attempt in read_attempts(self.path)}
        self._unwritten: list[Attempt] = []

    @property
    def attempts(self) -> tuple[Attempt, ...]:
        with self._lock:
            return tuple(self._attempts.values())

    @property
    def cost(self) -> float:
        """All that was paid, as far as it is known."""
        return math.fsum(attempt.cost for attempt in self.attempts)

    @property
    def cost_unknown(self) -> bool:
        return any(attempt.cost_unknown for attempt in self.attempts)

    def settle(self, folder: Path) -> None:
        """Enter the attempt in that folder, which this study has run and which is over. One that is entered already is
        not entered again."""
        self._enter(replace(_read(folder, self.root), seal=seal(folder)))

    def _enter(self, attempt: Attempt) -> None:
        with self._lock:
            if attempt.id in self._attempts:
                return
            self._attempts[attempt.id] = attempt
            self._unwritten.append(attempt)
            try:
                while self._unwritten:
                    append_line(self.path, asdict(self._unwritten[0]))
                    del self._unwritten[0]
            except OSError:
                return  # a full disk: it stays in memory, and in its folder for whoever resumes

    def catch_up(self) -> None:
        """Enter every attempt that a study which was cut off has left. Nothing may be running."""
        for folder in attempt_folders(self.root):
            # Nobody knows who wrote these: they are counted, and not sealed.
            self._enter(_read(folder, self.root))

    @property
    def current(self) -> list[Attempt]:
        return current(self.root, self.attempts)


def current(root: Path, attempts: Iterable[Attempt]) -> list[Attempt]:
    """Those that count in the tables: neither run again nor moved aside to be. A folder's name can come back."""
    last = {attempt.folder: attempt for attempt in attempts}
    return [attempt for folder, attempt in last.items() if _stands(root, folder)]


def _stands(root: Path, folder: str) -> bool:
    """Whether an attempt's folder is where it was; a foreign ledger may name what can be no folder."""
    if Path(folder).name.startswith(("_", ".")):
        return False
    try:
        return (root / folder).is_dir()
    except (OSError, ValueError):
        return False


def read_attempts(path: Path) -> Iterator[Attempt]:
    """The attempts of a ledger's file, each once; lines that are none are passed over."""
    seen: set[str] = set()
    for data in read_lines(path):
        attempt = _attempt(data)
        if attempt and attempt.id not in seen:
            seen.add(attempt.id)
            yield attempt


def _attempt(data: dict[str, Any]) -> Attempt | None:
    """None for a line without an id or a folder, which no version of this file has written."""
    if not all(isinstance(data.get(name), str) and data[name] for name in ("id", "folder")):
        return None
    cost = dollars(data.get("cost"))
    known: dict[str, Any] = {field.name: data[field.name] for field in fields(Attempt) if field.name in data}
    known |= {name: str(known.get(name) or "") for name in ("agent", "task", "status", "seal")}
    known |= {name: dollars(known.get(name)) or 0.0 for name in ("reward", "tokens_full", "tokens_pruned")}
    known |= {"seed": whole(known.get("seed")) or 0, "cost": cost or 0.0}
    known["cost_unknown"] = bool(known.get("cost_unknown")) or cost is None
    return Attempt(**known)


def attempt_folders(root: Path) -> Iterator[Path]:
    """The folders of all attempts below `root`, those that AgentLab has moved aside ("_...") too."""
    for folder, children, files in os.walk(root):
        children.sort()
        if "exp_args.pkl" in files:
            children.clear()
            yield Path(folder)


def _read(folder: Path, root: Path) -> Attempt:
    """What the folder of an attempt says. Where nothing can be read, neither can the cost."""
    relative = folder.relative_to(root)
    first = relative.with_name(relative.name.lstrip("_")).as_posix()
    calls = list(read_lines(folder / CALLS))
    costs = [dollars(call.get("cost")) for call in calls]
    logged = math.fsum(cost for cost in costs if cost is not None)
    unlogged = any(cost is None for cost in costs)
    try:
        row = indexed_episode(folder)
    except UnreadableRecord:
        return Attempt(first, relative.as_posix(), cost=logged, cost_unknown=True)
    episode, steps = row["episode"], row["steps"]
    stepped = math.fsum(dollars(step.get("cost")) or 0.0 for step in steps)
    return Attempt(
        id=f"{first}@{episode['started']}",
        folder=relative.as_posix(),
        agent=episode["agent"],
        task=episode["task"],
        seed=int(episode["seed"] or 0),
        status=episode["status"],
        reward=float(episode.get("reward") or 0.0),
        # The calls of a step that failed are in the log alone; models that are not ours are in the steps alone.
        cost=max(stepped, logged),
        cost_unknown=unlogged or any(_unknown(step) for step in steps),
        tokens_full=_tokens(steps, "axtree_tokens_full"),
        tokens_pruned=_pruned(steps),
    )


def _unknown(step: Row) -> bool:
    return bool(step.get("retriever_cost_unknown") or step.get("backbone_cost_unknown"))


def _tokens(steps: list[Row], name: str) -> float:
    return math.fsum(whole(step.get(name)) or 0 for step in steps)


def _pruned(steps: list[Row]) -> float:
    """Tokens that the backbone was shown, of the steps that say how large their page was."""
    shown = (step.get("axtree_tokens_shown", step.get("axtree_tokens_pruned")) for step in steps if _full(step))
    return math.fsum(whole(tokens) or 0 for tokens in shown)


def _full(step: Row) -> bool:
    return bool(step.get("axtree_tokens_full"))
