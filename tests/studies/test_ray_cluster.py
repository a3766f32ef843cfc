"""A cluster of two Ray nodes on this machine: the same table as without one, times aside."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from focusagent.results import load_results

pytestmark = pytest.mark.slow
FIGURES = ["agent", "task", "seed", "status", "success", "n_steps", "cost"]
_SCRIPT = """
import sys
from pathlib import Path
from pageless import PressingAgentArgs, pageless
from focusagent.studies.running import build_study, run_study
study = build_study([PressingAgentArgs()], pageless([f"pageless.{i}" for i in range(4)]), Path(sys.argv[1]))
run_study(study, jobs=2, backend=sys.argv[2], ray_address=sys.argv[3] if len(sys.argv) > 3 else "")
"""


def _table(folder: Path) -> list[tuple[Any, ...]]:
    return list(load_results(folder).episodes.sort_values("task")[FIGURES].itertuples(index=False, name=None))


def test_a_running_cluster_gives_the_table_of_a_sequential_run(tmp_path: Path, ray_cluster: str) -> None:
    runs = {"ray": ["ray", ray_cluster], "sequential": ["sequential"]}
    for name, arguments in runs.items():
        subprocess.run([sys.executable, "-c", _SCRIPT, str(tmp_path / name), *arguments], check=True, timeout=280)
    assert len(_table(tmp_path / "ray")) == 4
    assert _table(tmp_path / "ray") == _table(tmp_path / "sequential")
