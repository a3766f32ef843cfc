"""Installing an application: an environment of its own from its lock file. What was cut short goes on next time."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from focusagent.apps.app import App
from focusagent.errors import UserError

_MARK = "installed.json"


@dataclass(frozen=True)
class Installed:
    """`fresh` is False where it stood already."""

    seconds: float
    megabytes: float
    fresh: bool


def is_installed(app: App) -> bool:
    """Whether the environment of exactly this lock file was finished."""
    return (app.environment / _MARK).is_file()


def require(app: App) -> None:
    """Raises UserError with the command that installs it, where it is not installed."""
    if not is_installed(app):
        raise UserError(f"{app.name} is not installed; run `focusagent apps install {app.name}`")


def install(app: App) -> Installed:
    """Make the environment, or go on with one that was cut short. Raises UserError in one line."""
    app.home.mkdir(parents=True, exist_ok=True)
    with only_one(app.home / "install.lock"):
        if is_installed(app):
            known = json.loads((app.environment / _MARK).read_text(encoding="utf-8"))
            return Installed(known["seconds"], known["megabytes"], fresh=False)
        started = time.monotonic()
        if not (app.environment / "bin" / "python").exists():
            _uv(app, "venv", "--quiet", "--clear", "--python", sys.executable, str(app.environment))
        _uv(app, "pip", "sync", "--quiet", "--python", str(app.environment / "bin" / "python"), str(app.lock))
        made = Installed(round(time.monotonic() - started, 1), _megabytes(app.environment), fresh=True)
        figures = {"seconds": made.seconds, "megabytes": made.megabytes}
        (app.environment / _MARK).write_text(json.dumps(figures), encoding="utf-8")
        return made


@contextmanager
def only_one(path: Path) -> Iterator[None]:
    """One process at a time; the lock goes when its holder does, however it ends."""
    with path.open("w", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _uv(app: App, *arguments: str) -> None:
    program = shutil.which("uv") or str(Path(sys.executable).parent / "uv")
    try:
        done = subprocess.run([program, *arguments], capture_output=True, text=True, env=_uv_variables(), check=False)
    except OSError as error:
        raise UserError(f"{app.name} needs uv to install: `pip install uv` ({error.strerror})") from error
    if done.returncode:
        raise UserError(f"{app.name} could not be installed, the next try goes on: {last_words(done.stderr)}")


def _uv_variables() -> dict[str, str]:
    return {"UV_SYSTEM_CERTS": "1", "UV_LINK_MODE": "hardlink", **os.environ, "UV_NO_PROGRESS": "1"}


def last_words(text: str, length: int = 300) -> str:
    """The end of what a program printed, in one line."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return " ".join(lines[-3:])[-length:] or "it said nothing"


def _megabytes(folder: Path) -> float:
    sizes = [path.lstat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    return round(sum(sizes) / 1e6, 1)
