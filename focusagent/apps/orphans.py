"""What a study that was killed may leave behind: running copies. Each carries our mark; only these are cleaned up."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from pathlib import Path

import psutil

from focusagent.apps.places import run_folder

MARK = "FOCUSAGENT_APP_COPY"
OWNER = "owner.json"


def sign(copy: Path) -> None:
    """Write down that this process owns the copy. A process is told by its number and the moment it started."""
    own = psutil.Process()
    (copy / OWNER).write_text(json.dumps({"pid": own.pid, "started": own.create_time()}), encoding="utf-8")


def clean_orphans() -> int:
    """End the servers and remove the folders of copies whose owner is gone. Returns how many there were."""
    orphans = [copy for copy in run_folder().glob("copy-*") if not _owned(copy)]
    if not orphans:
        return 0
    marks = {str(copy) for copy in orphans}
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if process.uids().real == os.getuid() and process.environ().get(MARK) in marks:
                process.kill()
    for copy in orphans:
        shutil.rmtree(copy, ignore_errors=True)
    return len(orphans)


def _owned(copy: Path) -> bool:
    """Whether the process that made the copy lives. A copy that is not signed yet is being made."""
    try:
        owner = json.loads((copy / OWNER).read_text(encoding="utf-8"))
        return bool(abs(psutil.Process(owner["pid"]).create_time() - owner["started"]) < 1)
    except (OSError, ValueError):
        return True
    except psutil.NoSuchProcess:
        return False
