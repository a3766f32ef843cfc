from __future__ import annotations

import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from focusagent.studies.pools import make_pool
from focusagent.studies.schedule import Schedule


def _episode(name: str, depends_on: tuple[str, ...] = ()) -> Any:
    return SimpleNamespace(exp_id=name, depends_on=depends_on, env_args=SimpleNamespace(max_steps=5))


@dataclass
class Threads:
    """A pool that remembers how many ran at once and in which order they ended."""

    executor: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(8))
    running: int = 0
    most: int = 0
    order: list[str] = field(default_factory=list)
    closed: list[bool] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def run(self, episode: Any) -> Future[None]:
        return self.executor.submit(self._run, episode)

    def _run(self, episode: Any) -> None:
        with self.lock:
            self.running += 1
            self.most = max(self.most, self.running)
        time.sleep(0.01)
        with self.lock:
            self.running -= 1
            self.order.append(episode.exp_id)

    def cancel(self, future: Future[None]) -> None:
        future.cancel()

    def close(self, now: bool) -> None:
        self.closed.append(now)


def _run(pool: Threads, episodes: list[Any], jobs: int, **more: Any) -> str:
    return Schedule(episodes, lambda: pool, jobs, prepare=lambda _: None, **more).run()


def test_never_more_than_jobs_at_once() -> None:
    pool = Threads()
    assert _run(pool, [_episode(str(i)) for i in range(12)], jobs=3) == ""
    assert sorted(pool.order, key=int) == [str(i) for i in range(12)]
    assert pool.most <= 3
    assert pool.closed == [False]


def test_an_episode_waits_for_what_it_depends_on() -> None:
    pool = Threads()
    chain = [_episode("c", ("b",)), _episode("b", ("a",)), _episode("a"), _episode("d", ("gone",))]
    _run(pool, chain, jobs=4)
    assert pool.order.index("a") < pool.order.index("b") < pool.order.index("c")
    assert "d" in pool.order


def test_a_circle_of_dependencies_is_said_and_does_not_hang() -> None:
    pool = Threads()
    reason = _run(pool, [_episode("a", ("b",)), _episode("b", ("a",))], jobs=2)
    assert "depend on each other" in reason


def test_an_exception_closes_the_pool_at_once() -> None:
    pool = Threads()

    def interrupted(_: Any) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _run(pool, [_episode("a")], jobs=1, on_end=interrupted)
    assert pool.closed == [True]


def test_an_unknown_backend_is_named() -> None:
    with pytest.raises(ValueError, match="known: sequential, joblib, ray"):
        make_pool("dask", 1)  # type: ignore[arg-type]
