"""AgentLab's real study and loop, on an environment without a browser."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from focusagent.results import load_results
from focusagent.results.ledger import Ledger
from focusagent.studies.running import build_study, run_study

TASKS = ["pageless.a", "pageless.b", "pageless.c"]
FIGURES = ["agent", "task", "seed", "status", "success", "n_steps", "cost"]


def _study(folder: Path, tasks: list[str], **agent: Any) -> Any:
    from pageless import PressingAgentArgs, pageless

    return build_study([PressingAgentArgs(**agent)], pageless(tasks), folder)


def _table(folder: Path) -> list[tuple[Any, ...]]:
    frame = load_results(folder).episodes.sort_values(["task", "seed"])
    return list(frame[FIGURES].itertuples(index=False, name=None))


@pytest.mark.parametrize("backend", ["sequential", "joblib"])
def test_every_episode_ends_and_agentlab_reads_it(tmp_path: Path, backend: Any) -> None:
    study = _study(tmp_path, TASKS)
    assert run_study(study, jobs=2, backend=backend) == ""
    assert [row[3:6] for row in _table(study.dir)] == [("done", 1.0, 3)] * 3
    from agentlab.experiments.study import Study

    assert Study.load(study.dir).find_incomplete() == (0, 0)


def test_an_error_ends_its_episode_only_and_resuming_runs_it_again(tmp_path: Path) -> None:
    study = _study(tmp_path, [*TASKS, "pageless.error-once"])
    run_study(study, jobs=1, backend="sequential")
    assert [row[3] for row in _table(study.dir)] == ["done", "done", "done", "error"]
    run_study(study, jobs=1, backend="sequential")
    assert [row[3] for row in _table(study.dir)] == ["done"] * 4
    assert len(list(study.dir.glob("*/started"))) == 5
    assert (study.dir / "closed.txt").read_text().count("pageless.a\n") == 1


def test_a_stop_is_clean_and_what_is_left_is_run_later(tmp_path: Path) -> None:
    study = _study(tmp_path, TASKS)
    ledger = Ledger(study.dir)

    def stop() -> str:
        return "the budget is spent" if ledger.cost >= 1.5 else ""

    def settle(episode: Any) -> None:
        ledger.settle(Path(episode.exp_dir))

    assert run_study(study, jobs=1, backend="sequential", stop=stop, on_end=settle) == "the budget is spent"
    assert len(_table(study.dir)) == 1
    assert run_study(study, jobs=1, backend="sequential") == ""
    assert len(_table(study.dir)) == 3


def test_a_killed_worker_takes_no_other_episode_along(tmp_path: Path) -> None:
    study = _study(tmp_path, ["pageless.kill-worker", *TASKS])
    run_study(study, jobs=1, backend="joblib")
    run_study(study, jobs=1, backend="joblib")
    unbroken = _study(tmp_path / "other", ["pageless.kill-worker", *TASKS])
    (unbroken.dir / "killed-pageless.kill-worker").touch()
    run_study(unbroken, jobs=1, backend="sequential")
    assert _table(study.dir) == _table(unbroken.dir)
    assert all((study.dir / "closed.txt").read_text().count(task) == 1 for task in TASKS)


_SCRIPT = """
import signal, sys
from pathlib import Path
from pageless import PressingAgentArgs, pageless
from focusagent.studies.running import build_study, run_study
if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs of a shell ignore it
    study = build_study([PressingAgentArgs()], pageless([f"pageless.slow-{i}" for i in range(8)]), Path(sys.argv[1]))
    try:
        run_study(study, jobs=1, backend=sys.argv[2])
    except KeyboardInterrupt:
        sys.exit(130)
"""


@pytest.mark.parametrize(
    ("how", "backend"), [("SIGKILL", "sequential"), ("SIGINT", "sequential"), ("SIGINT", "joblib")]
)
def test_a_study_that_was_cut_off_resumes_without_running_a_finished_episode_again(
    tmp_path: Path, how: str, backend: Any
) -> None:
    process = subprocess.Popen([sys.executable, "-c", _SCRIPT, str(tmp_path), backend], start_new_session=True)
    deadline = time.monotonic() + 120
    while len(list(tmp_path.glob("*/*/summary_info.json"))) < 2 and time.monotonic() < deadline:
        time.sleep(0.1)
    os.kill(process.pid, getattr(signal, how))
    code = process.wait(timeout=60)
    assert code == (130 if how == "SIGINT" else -signal.SIGKILL)
    [folder] = [path.parent for path in tmp_path.glob("*/study.pkl.gz")]
    from agentlab.experiments.study import Study

    before = [row[1] for row in _table(folder) if row[3] == "done"]
    assert 2 <= len(before) < 8
    run_study(Study.load(folder), jobs=2, backend="joblib")
    assert [row[3] for row in _table(folder)] == ["done"] * 8
    closed = (folder / "closed.txt").read_text().split()
    assert all(closed.count(task) == 1 for task in before)
