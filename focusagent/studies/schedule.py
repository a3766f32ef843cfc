"""At most `jobs` episodes at a time, each after those it depends on, until all are done or someone says stop."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from typing import Any

from focusagent.studies.pools import Pool

POLL_SECONDS = 0.5
_POOL_IS_GONE = ("TerminatedWorkerError", "BrokenProcessPool")


@dataclass
class Running:
    """An episode that was handed to the pool. `began` is when a worker took it up, None while it waits for one."""

    episode: Any
    began: float | None = None
    cancelled: bool = False


@dataclass
class Schedule:
    """`prepare` makes an episode's folder just before it starts, so that a folder means: begun. `stop` is asked before
    each start; its text, when not empty, ends the study cleanly once the running episodes are over. `on_end` hears of
    every attempt that is over. `step_seconds` times an episode's step limit is the time it may run; `has_begun` tells
    whether a worker has taken an episode up, and until then no time counts."""

    episodes: Sequence[Any]
    make_pool: Callable[[], Pool]
    jobs: int
    prepare: Callable[[Any], None]
    stop: Callable[[], str] = lambda: ""
    on_end: Callable[[Any], None] = lambda _: None
    step_seconds: float = 60.0
    has_begun: Callable[[Any], bool] = lambda _: True
    clock: Callable[[], float] = time.monotonic
    started_again: set[str] = field(default_factory=set)

    def run(self) -> str:
        """Returns why it stopped early, "" when it did not. On an exception, Ctrl-C included, workers are killed."""
        waiting, running = list(self.episodes), dict[Future[None], Running]()
        pool, reason = self.make_pool(), ""
        try:
            while waiting or running:
                reason = self._start(pool, waiting, running, reason)
                if not running:
                    reason = reason or f"{len(waiting)} episodes depend on each other in a circle"
                    break
                if self._collect(pool, running):
                    pool.close(now=True)
                    waiting[:0] = self._dropped(running)
                    pool = self.make_pool()
        except BaseException:
            pool.close(now=True)
            self._dropped(running)
            raise
        pool.close(now=False)
        return reason

    def _start(self, pool: Pool, waiting: list[Any], running: dict[Future[None], Running], reason: str) -> str:
        """Start what may start. Returns why nothing more does."""
        while waiting and len(running) < self.jobs and not (reason := reason or self.stop()):
            ready = next((episode for episode in waiting if self._may_start(episode, waiting, running)), None)
            if ready is None:
                break
            waiting.remove(ready)
            self.prepare(ready)
            running[pool.run(ready)] = Running(ready)
        return reason

    def _may_start(self, episode: Any, waiting: list[Any], running: dict[Future[None], Running]) -> bool:
        """Whether nothing it depends on is still to run; a failed dependency does not hold it back, as in AgentLab."""
        open_ids = {other.exp_id for other in waiting} | {other.episode.exp_id for other in running.values()}
        return not (set(episode.depends_on) & open_ids - {episode.exp_id})

    def _collect(self, pool: Pool, running: dict[Future[None], Running]) -> bool:
        """Wait for the next episodes to be over. True where a worker died and took the pool with it."""
        done, _ = wait(running, timeout=POLL_SECONDS, return_when=FIRST_COMPLETED)
        broken = False
        for future in done:
            # A cancelled future has no exception to ask for: asking raises.
            error = None if future.cancelled() else future.exception()
            if type(error).__name__ in _POOL_IS_GONE:
                broken = True  # it stays among those that run, for what is done about all of them
            else:
                self.on_end(running.pop(future).episode)
        for future, one in running.items():
            self._mind_the_time(pool, future, one)
        return broken

    def _mind_the_time(self, pool: Pool, future: Future[None], one: Running) -> None:
        if one.began is None:
            one.began = self.clock() if self.has_begun(one.episode) else None
            return
        limit = (one.episode.env_args.max_steps or 600) * self.step_seconds
        if self.clock() - one.began > limit and not one.cancelled:
            one.cancelled = True
            pool.cancel(future)

    def _dropped(self, running: dict[Future[None], Running]) -> list[Any]:
        """Their workers are gone, so they are over as well, and what they have cost is asked for. Those that no worker
        had taken up can start again, once: a worker may die of what it is given before it says so."""
        dropped, again = [one.episode for one in running.values()], []
        running.clear()
        for episode in dropped:
            if self.has_begun(episode) or episode.exp_id in self.started_again:
                self.on_end(episode)
            else:
                self.started_again.add(episode.exp_id)
                again.append(episode)
        return again
