"""The seeded state of an application, made once per seed and then only copied."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import uuid
from pathlib import Path
from typing import Any

from focusagent.apps.app import App
from focusagent.apps.install import last_words, only_one, require
from focusagent.apps.places import run_folder
from focusagent.errors import UserError

COMMAND_SECONDS = 600
COOKIES = "cookies.json"


def snapshot(app: App, seed: int) -> Path:
    """The folder that holds everything the application remembers for this seed; made where it is missing. Raises
    UserError where the application is not installed or cannot be seeded."""
    require(app)
    folder = app.home / f"seeds-{app.content_hash}" / str(seed)
    if folder.is_dir():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    with only_one(app.home / "seed.lock"):
        if not folder.is_dir():
            _make(app, seed, folder)
        return folder


def cookies(snapshot_folder: Path, login: str) -> list[dict[str, Any]]:
    """Name and value of each cookie of a logged-in account, as the seeding wrote them; none where nobody logs in."""
    path = snapshot_folder / COOKIES
    known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    if login and login not in known:
        raise UserError(f"the seeded application knows no login {login!r}")
    return list(known.get(login, []))


def _make(app: App, seed: int, folder: Path) -> None:
    """Build on the RAM file system, where a schema takes seconds and not minutes, then move into place at once."""
    work = run_folder() / f"making-{uuid.uuid4().hex}"
    try:
        base = _base(app)
        shutil.copytree(base, work)
        _run(app, app.spec.seed, work, seed)
        if app.spec.database:
            _settle(work / app.spec.database)
        near = folder.with_name(f"{folder.name}.{uuid.uuid4().hex}")
        shutil.copytree(work, near)
        os.replace(near, folder)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _base(app: App) -> Path:
    """The application with an empty database, made once."""
    folder = app.home / f"schema-{app.schema_hash}"
    if folder.is_dir():
        return folder
    work = run_folder() / f"making-{uuid.uuid4().hex}"
    work.mkdir()
    try:
        for command in app.spec.schema_commands:
            _run(app, command, work)
        near = folder.with_name(f"{folder.name}.{uuid.uuid4().hex}")
        shutil.copytree(work, near)
        os.replace(near, folder)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return folder


def _run(app: App, command: tuple[str, ...], data: Path, seed: int = 0) -> None:
    arguments = app.command(command, data=data, seed=seed)
    try:
        done = subprocess.run(
            arguments,
            env=app.variables(data),
            cwd=data,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=COMMAND_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UserError(f"{app.name}: {arguments[0]} failed: {error}") from error
    if done.returncode:
        raise UserError(f"{app.name} could not be prepared: {last_words(done.stderr or done.stdout)}")


def _settle(database: Path) -> None:
    """One file without a journal beside it."""
    with sqlite3.connect(database) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("PRAGMA journal_mode=DELETE")
    connection.close()
