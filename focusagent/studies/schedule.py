"""At most `jobs` episodes at a time, each after those it depends on, until all are done or someone says stop."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from typing import Any

from focusagent.studies.pools import Pool

POLL_SECONDS = 0.5


@dataclass
class Schedule:
    """`prepare` makes an episode's folder just before it starts, so that a folder means: begun. `stop` is asked before
    each start; its text, when not empty, ends the study cleanly once the running episodes are over. `on_end` hears of
    every episode that is over. `step_seconds` times an episode's step limit is the time it may take."""

    episodes: Sequence[Any]
    make_pool: Callable[[], Pool]
    jobs: int
    prepare: Callable[[Any], None]
    stop: Callable[[], str] = lambda: ""
    on_end: Callable[[Any], None] = lambda _: None
    step_seconds: float = 60.0
    finished: set[str] = field(default_factory=set)

    def run(self) -> str:
        """Returns why it stopped early, "" when it did not. On an exception, Ctrl-C included, workers are killed."""
        waiting, running = list(self.episodes), dict[Future[None], tuple[Any, float]]()
        pool, reason = self.make_pool(), ""
        try:
            while waiting or running:
                while waiting and len(running) < self.jobs and not (reason := reason or self.stop()):
                    ready = next((episode for episode in waiting if self._may_start(episode, waiting, running)), None)
                    if ready is None:
                        break
                    waiting.remove(ready)
                    self.prepare(ready)
                    running[pool.run(ready)] = ready, time.monotonic()
                if not running:
                    reason = reason or f"{len(waiting)} episodes depend on each other in a circle"
                    break
                broken = self._collect(pool, running)
                if broken:
                    pool.close(now=True)
                    running.clear()
                    pool = self.make_pool()
        except BaseException:
            pool.close(now=True)
            raise
        pool.close(now=False)
        return reason

    def _may_start(self, episode: Any, waiting: list[Any], running: dict[Future[None], tuple[Any, float]]) -> bool:
        """Whether nothing it depends on is still to run; a failed dependency does not hold it back, as in AgentLab."""
        open_ids = {other.exp_id for other in waiting} | {other.exp_id for other, _ in running.values()}
        return not (set(episode.depends_on) & open_ids - {episode.exp_id})

    def _collect(self, pool: Pool, running: dict[Future[None], tuple[Any, float]]) -> bool:
        """Wait for the next episodes to be over. True where a worker died and took the pool with it."""
        done, _ = wait(running, timeout=POLL_SECONDS, return_when=FIRST_COMPLETED)
        broken = False
        for future in done:
            episode, _ = running.pop(future)
            broken |= type(future.exception()).__name__ in ("TerminatedWorkerError", "BrokenProcessPool")
            self.on_end(episode)
        for future, (episode, started) in running.items():
            limit = (episode.env_args.max_steps or 600) * self.step_seconds
            if time.monotonic() - started > limit:
                pool.cancel(future)
        return broken
