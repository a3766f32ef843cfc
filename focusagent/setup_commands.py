"""`focusagent install-browser` and `focusagent doctor`."""

from __future__ import annotations

from typing import Annotated

import typer


def install_browser() -> None:
    """Make Playwright find a Chromium that starts: its own download, the system's, or Debian's package."""
    from focusagent import browser

    browser.install_browser()


def doctor(
    fix: Annotated[
        bool, typer.Option("--fix", help="Install the browser and NLTK's data where they are missing.")
    ] = False,
) -> int:
    """Tell what this machine lacks for which study, and what mends it; exit code 0 when the demo can run."""
    from focusagent.doctor import run_doctor

    return run_doctor(fix)
