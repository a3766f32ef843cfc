"""The commands of this folder; `register` adds them to the `focusagent` command."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    app.command()(demo)
    app.command()(study)
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


def study(
    config: Annotated[Path, typer.Argument(metavar="CONFIG.yaml", help="See configs/.")],
    jobs: Annotated[int | None, typer.Option(min=1, help="Episodes at a time.")] = None,
    backend: Annotated[str | None, typer.Option(help="ray, joblib or sequential.")] = None,
    ray_address: Annotated[str, typer.Option(metavar="A", help="Send episodes to this running Ray cluster.")] = "",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what it would run and cost, and start nothing.")
    ] = False,
    resume: Annotated[Path | None, typer.Option(metavar="DIR", help="Go on with the study in this folder.")] = None,
    max_cost: Annotated[float | None, typer.Option(min=0, metavar="X", help="Start no episode past X dollars.")] = None,
) -> int:
    """Run a study of agents on a benchmark, or say what it would cost."""
    from rich.console import Console

    from focusagent.studies.study import Options, run_config

    options = Options(jobs, backend, ray_address, dry_run, resume.resolve() if resume else None, max_cost)
    return run_config(config, options, Console())


def xray(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder of results, or of several.")],
    port: Annotated[int, typer.Option(help="0 takes a free one.")] = 0,
) -> None:
    """Open AgentXray on a folder of results."""
    from focusagent.studies.xray import run_xray

    run_xray(folder, port)
