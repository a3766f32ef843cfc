"""Where applications are kept: environments and snapshots in the user's cache folder, running copies in memory."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import platformdirs

MEMORY = Path("/dev/shm")


def cache_folder() -> Path:
    """`FOCUSAGENT_APPS_CACHE`, or the user's cache folder."""
    chosen = os.environ.get("FOCUSAGENT_APPS_CACHE", "")
    return Path(chosen) if chosen else platformdirs.user_cache_path("focusagent") / "apps"


def run_folder() -> Path:
    """The folder of running copies, on a RAM file system where there is one, only this user's. It is created."""
    base = MEMORY if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) else Path(tempfile.gettempdir())
    folder = base / f"focusagent-apps-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.stat().st_uid != os.getuid() or folder.is_symlink():
        raise PermissionError(f"{folder} belongs to someone else")
    return folder
