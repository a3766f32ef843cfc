from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

SUPPORT = Path(__file__).parent / "support"


@pytest.fixture(autouse=True)
def _support_is_importable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Here and in workers, which inherit the environment; AgentLab's own folder of results is a temporary one."""
    monkeypatch.syspath_prepend(str(SUPPORT))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(SUPPORT), os.environ.get("PYTHONPATH", "")])))
    monkeypatch.setenv("AGENTLAB_EXP_ROOT", str(tmp_path))


@pytest.fixture
def ray_cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a cluster of two nodes on this machine."""
    monkeypatch.setenv("RAY_raylet_start_wait_time_s", "150")
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    cluster.add_node(num_cpus=1)
    yield str(cluster.address)
    cluster.shutdown()
