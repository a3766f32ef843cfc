"""A Chromium at the path where Playwright looks for one.

BrowserGym opens a second browser for its chat window and passes no path, so a system browser has to stand where
Playwright expects its own download: a small launcher there executes it.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from focusagent.errors import UserError

SYSTEM_BROWSERS = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
INSTALL_SECONDS = 900
Say = Callable[[str], None]

Result = TypeVar("Result")


class BrowserError(Exception):
    """A browser that is not there or does not start; the first line of Playwright's reason."""


def expected_path() -> Path:
    """Where this version of Playwright looks for its Chromium."""
    return Path(in_thread(_executable_path))


def started_version(executable: str | None = None) -> str:
    """Start the browser headless (Playwright's default one without `executable`) and return its version.

    Raises BrowserError when it is not there, lacks libraries or does not answer.
    """
    return in_thread(_start, executable)


def in_thread(call: Callable[..., Result], *args: str | None) -> Result:
    """Playwright's synchronous API refuses a thread that has an event loop: a notebook's, or an open Playwright's."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(call, *args).result()


def _executable_path() -> str:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        return playwright.chromium.executable_path


def _start(executable: str | None) -> str:
    from playwright.sync_api import Error, sync_playwright

    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=executable, timeout=30_000)
            version = browser.version
            browser.close()
            return version
    except Error as error:
        raise BrowserError(_reason(error.message)) from error


def install_browser(say: Say = print) -> str:
    """Make Playwright find a Chromium that starts, by the first way that works, and return its version.

    A browser that starts already is left alone. Otherwise: Playwright's own download, a browser of the system, and on
    Debian as root the system's package. `say` is told each step. Raises UserError when none works.
    """
    try:
        version = started_version()
    except BrowserError:
        pass
    else:
        say(f"Chromium {version} is there: {expected_path()}")
        return version
    for way in (_download, _use_system_browser, _use_debian_package):
        try:
            way(say)
            version = started_version()
        except BrowserError as error:
            say(f"  no: {error}")
        else:
            say(f"Chromium {version} starts: {expected_path()}")
            return version
    raise UserError(
        "found no way to a browser; install Chromium or Chrome with the system's package manager, then run"
        " `focusagent install-browser` again"
    )


def _download(say: Say) -> None:
    say("Playwright's own Chromium: downloading")
    _run([sys.executable, "-m", "playwright", "install", "chromium"])


def _use_system_browser(say: Say) -> None:
    say(f"A browser of this system: looking for {', '.join(SYSTEM_BROWSERS)}")
    reasons = []
    for command in _on_path():
        try:
            started_version(command)
        except BrowserError as error:
            reasons.append(f"{command}: {error}")
        else:
            _write_launcher(expected_path(), command)
            return
    raise BrowserError("; ".join(reasons) or "none on PATH")


def _use_debian_package(say: Say) -> None:
    say("Debian's chromium package: apt-get install chromium")
    if shutil.which("apt-get") is None:
        raise BrowserError("no apt-get on this system")
    if os.geteuid() != 0:
        raise BrowserError("not root; `sudo apt-get install chromium` installs it")
    _run(["apt-get", "update", "-q"])
    _run(["apt-get", "install", "-q", "-y", "--no-install-recommends", "chromium"])
    _use_system_browser(say)


def _on_path() -> Iterator[str]:
    return (found for command in SYSTEM_BROWSERS if (found := shutil.which(command)))


def _write_launcher(path: Path, command: str) -> None:
    """A script at `path` that becomes `command`; replaced as a whole, since another process may be starting it."""
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.write_text(f'#!/bin/sh\nexec {shlex.quote(command)} "$@"\n')
        draft.chmod(0o755)
        draft.replace(path)
    except OSError as error:
        raise BrowserError(f"cannot write {path}: {error.strerror}") from error


def _run(command: list[str]) -> None:
    """Raises BrowserError with the command's own first line when it fails or takes too long."""
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    try:
        done = subprocess.run(
            command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=INSTALL_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BrowserError(str(error)) from error
    if done.returncode != 0:
        raise BrowserError(_reason(done.stderr or done.stdout))


def _reason(message: str) -> str:
    """One line for a person, without the boxes that Playwright draws around its advice."""
    if "missing dependencies" in message or "shared libraries" in message:
        return "it lacks system libraries; `playwright install-deps chromium` installs them (as root)"
    lines = [line.strip(" ║╔╗╚╝═\t") for line in message.splitlines()]
    return next((line for line in lines if line), "it failed without a word")
