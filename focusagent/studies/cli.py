"""The commands of this folder; `register` adds them to the `focusagent` command."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    app.command()(demo)
    app.command()(xray)


def demo(
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where results go; default: AgentLab's folder.")
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Episodes at a time.")] = 2,
) -> int:
    """Offline, with no key: agents side by side on long pages and MiniWoB."""
    from rich.console import Console

    from focusagent.studies.demo import run_demo

    return run_demo(out, jobs, Console())


def xray(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder of results, or of several.")],
    port: Annotated[int, typer.Option(help="0 takes a free one.")] = 0,
) -> None:
    """Open AgentXray on a folder of results."""
    from focusagent.studies.xray import run_xray

    run_xray(folder, port)
