from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from focusagent.results import load_results

COMMAND = [sys.executable, "-c", "from focusagent.cli import main; main()"]


def test_without_a_browser_it_names_the_command_that_installs_one(tmp_path: Path) -> None:
    environment = os.environ | {"PLAYWRIGHT_BROWSERS_PATH": str(tmp_path / "none"), "AGENTLAB_EXP_ROOT": str(tmp_path)}
    command = [*COMMAND, "demo", "--out", str(tmp_path / "out")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1
    assert "focusagent install-browser" in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().split("\n")) == 1
    assert not (tmp_path / "out").exists()


def test_its_episodes_hold_every_template_at_25k_and_are_at_most_30() -> None:
    from focusagent.longpage import tasks_of
    from focusagent.studies.demo import AGENTS, demo_benchmark

    names = [env.task_name for env in demo_benchmark().env_args_list]
    forum = {str(name) for name in tasks_of(["25k"]) if name.site == "forum" and not name.events}
    assert forum <= set(names)
    assert any(name.startswith("miniwob.") for name in names)
    assert len(names) * len(AGENTS) <= 30


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_interrupted_it_leaves_a_folder_that_agentxray_reads(tmp_path: Path) -> None:
    command = [*COMMAND, "demo", "--jobs", "1", "--out", str(tmp_path)]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # background jobs of a shell ignore it
    )
    deadline = time.monotonic() + 400
    while not list(tmp_path.glob("*/*/summary_info.json")) and time.monotonic() < deadline:
        time.sleep(0.5)
    os.killpg(process.pid, signal.SIGINT)
    out, _ = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "scripted" in out
    assert "before it was stopped" in out
    [study] = [path.parent for path in tmp_path.glob("*/study.pkl.gz")]
    assert "done" in set(load_results(study).episodes["status"])
    from agentlab.analyze.inspect_results import load_result_df

    assert len(load_result_df(study, progress_fn=None)) >= 1


@pytest.mark.parametrize(("folder", "code"), [("none", 2), ("", 1)])
def test_xray_says_when_there_is_nothing_to_show(tmp_path: Path, folder: str, code: int) -> None:
    done = subprocess.run([*COMMAND, "xray", str(tmp_path / folder)], capture_output=True, text=True, timeout=120)
    assert done.returncode == code
    assert len(done.stderr.strip().split("\n")) == 1
