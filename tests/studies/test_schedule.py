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


@dataclass
class Few:
    """A pool with fewer workers than jobs: an episode waits for one. Cancelling works on what waits only, unless it
    `kills`."""

    kills: bool = True
    queued: dict[str, Future[None]] = field(default_factory=dict)
    cancelled: list[str] = field(default_factory=list)

    def run(self, episode: Any) -> Future[None]:
        self.queued[episode.exp_id] = Future()
        return self.queued[episode.exp_id]

    def cancel(self, future: Future[None]) -> None:
        [name] = [name for name, one in self.queued.items() if one is future]
        self.cancelled.append(name)
        future.cancel()
        future.set_running_or_notify_cancel()

    def close(self, now: bool) -> None:
        """Nothing is open."""


def test_waiting_is_not_running_and_a_cancelled_episode_ends_no_study() -> None:
    """Ten hours pass at every look; `a` runs, `b` waits for its worker, and only what runs too long is cancelled."""
    pool, begun, ended = Few(), {"a"}, list[str]()
    hours = iter(range(0, 10**9, 36_000))

    def has_begun(episode: Any) -> bool:
        return episode.exp_id in begun

    def on_end(episode: Any) -> None:
        ended.append(episode.exp_id)
        if episode.exp_id == "a":
            pool.queued["b"].set_result(None)

    schedule = Schedule(
        [_episode("a"), _episode("b")],
        lambda: pool,
        2,
        prepare=lambda _: None,
        on_end=on_end,
        has_begun=has_begun,
        clock=lambda: float(next(hours)),
    )
    assert schedule.run() == ""
    assert (pool.cancelled, ended) == (["a"], ["a", "b"])


class TerminatedWorkerError(Exception):
    """Named as joblib's own is."""


def test_episodes_whose_pool_is_gone_are_over_too() -> None:
    pools: list[Few] = []
    ended: list[str] = []

    def make() -> Few:
        pools.append(Few())
        return pools[-1]

    def prepare(episode: Any) -> None:
        if episode.exp_id == "b":
            pools[0].queued["a"].set_exception(TerminatedWorkerError())

    def on_end(episode: Any) -> None:
        ended.append(episode.exp_id)

    Schedule([_episode("a"), _episode("b")], make, 2, prepare=prepare, on_end=on_end).run()
    assert sorted(ended) == ["a", "b"], "what they have cost is asked for"


def test_an_episode_that_no_worker_took_up_starts_again_in_the_new_pool() -> None:
    pools: list[Few] = []
    prepared: list[str] = []

    def make() -> Few:
        pools.append(Few())
        return pools[-1]

    def prepare(episode: Any) -> None:
        prepared.append(episode.exp_id)
        if prepared == ["a", "b"]:
            pools[0].queued["a"].set_exception(TerminatedWorkerError())

    def has_begun(episode: Any) -> bool:
        """Asked when the pool is gone, and in the next one, where each episode ends at once."""
        if len(pools) == 2 and (future := pools[1].queued.get(episode.exp_id)) and not future.done():
            future.set_result(None)
        return False

    Schedule([_episode("a"), _episode("b")], make, 2, prepare=prepare, has_begun=has_begun).run()
    assert prepared == ["a", "b", "a", "b"]
