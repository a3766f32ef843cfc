"""`focusagent study` on LongPage: cut off and resumed, or on a cluster, it gives the tables of an unbroken run."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from focusagent.results import load_results
from focusagent.results.tables import measured_tables

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
COMMAND = [sys.executable, "-c", "from focusagent.cli import main; main()", "study"]
STUDY = """benchmark: longpage
tasks: [longpage.forum.upvote_comment.1k, longpage.desk.read_chart.1k, longpage.shop.thank_reviewer.1k]
agents: [generic-bt, focus-local]
backbones: [scripted]
"""
DEMO = """benchmark: demo
tasks: [longpage.forum.upvote_comment.25k, "miniwob.*"]
agents: [generic-bt, generic-bt-5k, focus-local]
backbones: [scripted]
"""


def _study(folder: Path, text: str, *options: str) -> Path:
    """Run it to its end; the folder of its results."""
    folder.mkdir()
    config = folder / "study.yaml"
    config.write_text(text)
    environment = os.environ | {"AGENTLAB_EXP_ROOT": str(folder)}
    done = subprocess.run([*COMMAND, str(config), *options], env=environment, timeout=600, check=False)
    assert done.returncode == 0
    return next(path.parent for path in folder.glob("*/study.yaml"))


Tables = dict[str, list[list[Any]]]


def _tables(folder: Path) -> Tables:
    """Every table but the one of times."""
    return {
        table.name: [
            [float(cell) if "tokens" in column else cell for column, cell in zip(table.columns, row, strict=True)]
            for row in table.rows
        ]
        for table in measured_tables(load_results(folder))
        if "latency" not in table.name
    }


def _like(tables: Tables) -> Tables:
    """A free port is part of each page's addresses, so counts of tokens differ a little."""
    return {
        name: [
            [pytest.approx(cell, rel=0.02, abs=0.5, nan_ok=True) if isinstance(cell, float) else cell for cell in row]
            for row in rows
        ]
        for name, rows in tables.items()
    }


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _study(tmp_path_factory.mktemp("unbroken") / "study", STUDY, "--jobs", "2")


def _victim(process: subprocess.Popen[bytes], whom: str) -> int:
    """The study's own process, or a worker in the midst of an episode: it has a browser that started after now."""
    now = time.time()
    while whom == "worker":
        for child in psutil.Process(process.pid).children():
            if any(grandchild.create_time() > now for grandchild in child.children(recursive=True)):
                return int(child.pid)
        time.sleep(0.2)
    return process.pid


@pytest.mark.parametrize("whom", ["main", "worker"])
def test_cut_off_and_resumed_it_gives_the_tables_of_an_unbroken_run(tmp_path: Path, unbroken: Path, whom: str) -> None:
    config = tmp_path / "study.yaml"
    config.write_text(STUDY)
    command = [*COMMAND, str(config), "--jobs", "2"]
    process = subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 400
    while len(list(tmp_path.glob("*/none/*/*/summary_info.json"))) < 2 and time.monotonic() < deadline:
        time.sleep(0.2)
    os.kill(_victim(process, whom), signal.SIGKILL)
    assert process.wait(timeout=400) == (-signal.SIGKILL if whom == "main" else 1)
    [folder] = [path.parent for path in tmp_path.glob("*/study.yaml")]
    episodes = load_results(folder).episodes
    finished = {path: _written(path) for path in episodes["folder"][episodes["status"] == "done"]}
    assert 2 <= len(finished) < 6
    resumed = subprocess.run([*command, "--resume", str(folder)], timeout=400, check=False)
    assert resumed.returncode == 0
    assert {path: _written(path) for path in finished} == finished
    assert _tables(folder) == _like(_tables(unbroken))


def _written(episode: str) -> float:
    return (Path(episode) / "summary_info.json").stat().st_mtime


def test_the_demos_tasks_on_a_cluster_of_two_nodes_give_the_sequential_table(tmp_path: Path, ray_cluster: str) -> None:
    on_cluster = _study(tmp_path / "ray", DEMO, "--ray-address", ray_cluster)
    alone = _study(tmp_path / "sequential", DEMO, "--backend", "sequential")
    assert len(load_results(alone).episodes) == 9
    assert _tables(on_cluster) == _like(_tables(alone))
