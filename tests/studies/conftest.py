from __future__ import annotations

import os
from pathlib import Path

import pytest

SUPPORT = Path(__file__).parent / "support"


@pytest.fixture(autouse=True)
def _support_is_importable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Here and in workers, which inherit the environment; AgentLab's own folder of results is a temporary one."""
    monkeypatch.syspath_prepend(str(SUPPORT))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(SUPPORT), os.environ.get("PYTHONPATH", "")])))
    monkeypatch.setenv("AGENTLAB_EXP_ROOT", str(tmp_path))
