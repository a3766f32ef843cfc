"""A running copy of an application on a free loopback port, and how it is put back to the start of an episode."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import sqlite3
import subprocess
import time
import urllib.error
import urllib.request
import uuid
from pathlib import Path

from focusagent.apps.app import SHARED, App
from focusagent.apps.install import last_words
from focusagent.apps.orphans import MARK, clean_orphans, sign
from focusagent.apps.places import run_folder
from focusagent.apps.snapshot import snapshot
from focusagent.errors import UserError

TRIES = 3
STOP_SECONDS = 5.0


class AppServer:
    """One application, from `reset` to `stop`. The copy lives in memory; the process dies with this one."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.origin = ""
        self._copy = run_folder() / f"copy-{app.name}-{os.getpid()}-{uuid.uuid4().hex[:8]}"
        self.data = self._copy / "data"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def database(self) -> Path:
        return self.data / self.app.spec.database

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def reset(self, seed: int) -> Path:
        """Put the copy back to the seeded state and see that the application answers. Returns the snapshot. Raises
        UserError with the application's last words where it does not start."""
        start = snapshot(self.app, seed)
        if not self.app.spec.keeps_running:
            self._end()
        if not self._copy.exists():
            clean_orphans()
            self._copy.mkdir(mode=0o700)
            sign(self._copy)
        restore(start, self.data, self.app.spec.database)
        if not self.running:
            self._start()
        return start

    def stop(self) -> None:
        """End the process and remove the copy; harmless when that is done already."""
        self._end()
        shutil.rmtree(self._copy, ignore_errors=True)

    def _start(self) -> None:
        problem = ""
        for _ in range(TRIES):
            port = _free_port()
            self.origin = f"http://127.0.0.1:{port}"
            self._process = self._launch(port)
            problem = self._await()
            if not problem:
                return
            self._end()
        raise UserError(f"{self.app.name} does not start: {problem}")

    def _launch(self, port: int) -> subprocess.Popen[bytes]:
        command = self.app.command(self.app.spec.serve, data=self.data, port=port)
        leash = [str(self.app.environment / "bin" / "python"), str(SHARED / "leash.py")]
        with (self._copy / "log.txt").open("wb") as log:
            return subprocess.Popen(
                [*leash, *command],
                env={**self.app.variables(self.data), MARK: str(self._copy)},
                cwd=self.data,
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def _await(self) -> str:
        """ "" once it answers; what went wrong where it does not."""
        until = time.monotonic() + self.app.spec.start_seconds
        while time.monotonic() < until:
            if not self.running:
                return last_words(self._log())
            if _answers(self.origin + self.app.spec.health):
                return ""
            time.sleep(0.05)
        return f"no answer for {self.app.spec.start_seconds:.0f} s; {last_words(self._log())}"

    def _log(self) -> str:
        return (self._copy / "log.txt").read_text(encoding="utf-8", errors="replace")

    def _end(self) -> None:
        """Closing the leash's input ends the application and its children."""
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(OSError):
            if process.stdin:
                process.stdin.close()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def restore(start: Path, data: Path, database: str) -> None:
    """Make `data` what `start` is. The database is overwritten in place, page by page, so that an application that
    has it open sees the old state; other files are copied where they differ."""
    if not data.exists():
        shutil.copytree(start, data)
        return
    wanted = {path.relative_to(start): path for path in start.rglob("*") if path.is_file()}
    for path in [found for found in data.rglob("*") if found.is_file()]:
        name = path.relative_to(data)
        if name not in wanted and not str(name).startswith(f"{database}-"):
            path.unlink()
    for name, source in wanted.items():
        target = data / name
        if str(name) == database:
            _overwrite(source, target)
        elif not target.exists() or _stamp(source) != _stamp(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)


def _overwrite(source: Path, target: Path) -> None:
    seeded, live = sqlite3.connect(source), sqlite3.connect(target, timeout=10)
    try:
        seeded.backup(live)
    finally:
        seeded.close()
        live.close()


def _stamp(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_size, status.st_mtime_ns


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _answers(address: str) -> bool:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(address, timeout=5) as response:
            return bool(response.status < 400)
    except (OSError, urllib.error.URLError):
        return False
