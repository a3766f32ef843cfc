"""The commands of this folder; `register` adds them to the `focusagent` command."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    app.command()(demo)
    app.command()(study)
    app.command()(report)
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


def report(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Results of one study or of several.")],
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Default: `report` in that folder.")] = None,
    examples: Annotated[bool, typer.Option("--examples", help="Add example steps, prompts and pages.")] = False,
) -> None:
    """Tables (CSV, Markdown), figures (PNG, SVG, CSV) and report.html, from any AgentLab results."""
    from focusagent.errors import UserError
    from focusagent.printing import say
    from focusagent.results.examples import example_sections
    from focusagent.results.report import write_report

    try:
        made = write_report(folder, out, example_sections(folder) if examples else ())
    except NotADirectoryError as error:
        raise UserError(str(error), exit_code=2) from error
    if not made.episodes:
        raise UserError(f"{folder} holds no episode that can be read; {made.page} says what was left out")
    left_out = f"; {made.left_out} things are left out, see its first section" if made.left_out else ""
    say(f"{made.tables} tables, {made.figures} figures, {made.page}{left_out}")


def xray(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder of results, or of several.")],
    port: Annotated[int, typer.Option(help="0 takes a free one.")] = 0,
    trust: Annotated[
        bool, typer.Option("--trust", help="Open results of somebody else: their pickles can run code.")
    ] = False,
) -> None:
    """Open AgentXray on a folder of results."""
    from focusagent.studies.xray import run_xray

    run_xray(folder, port, trust)
