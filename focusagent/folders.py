"""Where results lie unless a user says otherwise."""

from __future__ import annotations

import os
from pathlib import Path


def default_root() -> Path:
    """AgentLab's folder of results: AGENTLAB_EXP_ROOT, else `agentlab_results` in the home folder."""
    return Path(os.environ.get("AGENTLAB_EXP_ROOT") or Path.home() / "agentlab_results")
