"""Where episodes run: in this process, in processes of this machine, or on a Ray cluster.

AgentLab's own backends take all episodes at once, so that a study can neither stop at a budget nor join a running Ray
cluster. These take one at a time and hand back a future. What runs is AgentLab's `run_exp` on AgentLab's `ExpArgs`."""

from __future__ import annotations

import os
import signal
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, Protocol

Backend = Literal["sequential", "joblib", "ray"]
# Written into an episode's folder by the worker that runs it: the worker's process.
BEGUN = "begun"


class Pool(Protocol):
    """`run` starts an episode; the future fails where the worker died, never for an episode's own error. `cancel` ends
    an episode that waits or runs; its future is then over, cancelled or with an exception."""

    def run(self, episode: Any) -> Future[None]: ...

    def cancel(self, future: Future[None]) -> None: ...

    def close(self, now: bool) -> None: ...


def run_episode(episode: Any) -> None:
    """Run one `ExpArgs`. Workers unpickle this function first, and with it the ways round AgentLab's traps."""
    from agentlab.experiments.exp_utils import run_exp

    from focusagent.compat import know_tokenizer
    from focusagent.models.call_log import log_calls

    know_tokenizer(str(getattr(getattr(episode.agent_args, "chat_model_args", None), "model_name", "")))
    with suppress(OSError):
        (Path(episode.exp_dir) / BEGUN).write_text(str(os.getpid()))
    log_calls(episode.exp_dir)
    try:
        run_exp(episode)
    finally:
        log_calls(None)


def has_begun(episode: Any) -> bool:
    """Whether a worker has taken the episode up."""
    return (Path(episode.exp_dir) / BEGUN).exists()


def make_pool(backend: Backend, jobs: int, ray_address: str = "") -> Pool:
    """The backend of that name. Raises ValueError for an unknown one, ConnectionError where no cluster answers."""
    match backend:
        case "sequential":
            return InProcess()
        case "joblib":
            return Processes(jobs)
        case "ray":
            return OnRay(jobs, ray_address)
    raise ValueError(f"unknown backend {backend!r}; known: sequential, joblib, ray")


class InProcess:
    """Each episode is over when `run` returns."""

    def run(self, episode: Any) -> Future[None]:
        future: Future[None] = Future()
        run_episode(episode)
        future.set_result(None)
        return future

    def cancel(self, future: Future[None]) -> None:
        """Nothing runs here that could be cancelled."""

    def close(self, now: bool) -> None:
        """Nothing is open."""


class Processes:
    """joblib's own process pool: workers stay, so AgentLab is imported once each."""

    def __init__(self, jobs: int) -> None:
        from joblib.externals.loky import ProcessPoolExecutor

        self._executor = ProcessPoolExecutor(max_workers=jobs)
        self._folders: dict[Future[None], Path] = {}

    def run(self, episode: Any) -> Future[None]:
        future: Future[None] = self._executor.submit(run_episode, episode)
        self._folders[future] = Path(episode.exp_dir)
        return future

    def cancel(self, future: Future[None]) -> None:
        """An episode that runs already is ended with its worker, which ends the pool."""
        if future.cancel():
            return
        with suppress(OSError, ValueError):
            os.kill(int((self._folders[future] / BEGUN).read_text()), signal.SIGKILL)

    def close(self, now: bool) -> None:
        """`now` kills the workers and the browsers below them."""
        self._executor.shutdown(wait=not now, kill_workers=now)


class OnRay:
    """A Ray of its own with `jobs` processors, or the running cluster at `address`.

    The study's folder must lie where all nodes of a cluster reach it under the same path.
    """

    def __init__(self, jobs: int, address: str = "") -> None:
        from focusagent.compat import quieten_ray

        quieten_ray()
        import ray

        self._ray = ray
        options: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR", "configure_logging": False}
        if address:
            ray.init(address=address, **options)
        else:
            ray.init(num_cpus=jobs, include_dashboard=False, **options)
        self._remote = ray.remote(run_episode)
        self._refs: dict[Future[None], Any] = {}

    def run(self, episode: Any) -> Future[None]:
        ref = self._remote.options(name=episode.exp_name, max_retries=0).remote(episode)
        future: Future[None] = ref.future()
        self._refs[future] = ref
        return future

    def cancel(self, future: Future[None]) -> None:
        self._ray.cancel(self._refs[future], force=True)

    def close(self, now: bool) -> None:
        if now:
            for future, ref in self._refs.items():
                if not future.done():
                    with suppress(Exception):
                        self._ray.cancel(ref, force=True)
        self._ray.shutdown()
