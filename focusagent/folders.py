"""Where results lie, and whether they can."""

from __future__ import annotations

import os
from pathlib import Path

from focusagent.errors import UserError


def default_root() -> Path:
    """AgentLab's folder of results: AGENTLAB_EXP_ROOT, else `agentlab_results` in the home folder."""
    return Path(os.environ.get("AGENTLAB_EXP_ROOT") or Path.home() / "agentlab_results")


def out_folder(path: Path) -> Path:
    """The folder at `path`, made where it is missing. Raises UserError, in one line, where nothing can be written."""
    try:
        path.mkdir(parents=True, exist_ok=True)
        probe = path / ".focusagent-write-test"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise UserError(f"nothing can be written to {path}: {error.strerror or error}", exit_code=2) from error
    return path
