"""`focusagent longpage`: what the benchmark holds, its sites in a browser, and steps with their needed lines."""

from __future__ import annotations

from fnmatch import fnmatch
from pathlib import Path
from typing import Annotated

import typer

from focusagent.printing import say, say_json

app = typer.Typer(
    no_args_is_help=True,
    help="LongPage, the hermetic benchmark of long pages.",
    add_completion=False,
    rich_markup_mode=None,
)
Seed = Annotated[int, typer.Option(min=0, help="Seed of the content.")]


@app.command("list")
def list_tasks(as_json: Annotated[bool, typer.Option("--json", help="One JSON array.")] = False) -> None:
    """The tasks, one a line: name, kind, pages, steps allowed, split."""
    from focusagent.longpage import task_names
    from focusagent.longpage.benchmarks import metadata

    rows = metadata(task_names())
    if as_json:
        say_json(rows.to_dict(orient="records"))
        return
    for row in rows.itertuples():
        say(f"{row.task_name:44} {row.kind:11} pages {row.pages}  steps {row.max_steps:3}  {row.browsergym_split}")


@app.command()
def serve(
    size: Annotated[str, typer.Option(help="1k, 8k, 25k, 60k or 130k.")] = "8k",
    seed: Seed = 0,
) -> None:
    """Serve every site on a free port until interrupted."""
    from focusagent.errors import UserError
    from focusagent.longpage import SITES
    from focusagent.longpage.server import SiteServer
    from focusagent.sizes import SIZES

    if size not in SIZES:
        raise UserError(f"no size {size!r}; there are {', '.join(SIZES)}", 2)
    servers = {site.name: SiteServer(site.app(site.state(seed, size))) for site in SITES.values()}
    try:
        for name, server in servers.items():
            say(f"{name:6} {server.start()}")
        say("Ctrl-C stops them.")
        for server in servers.values():
            server.join()
    except KeyboardInterrupt:
        pass
    finally:
        for server in servers.values():
            server.stop()


@app.command()
def record(
    out: Annotated[Path, typer.Option(metavar="FILE", help="JSON lines for `focusagent coverage`.")],
    tasks: Annotated[str, typer.Option(metavar="GLOB", help="Which tasks.")] = "longpage.*.8k",
    seeds: Annotated[int, typer.Option(min=1, help="How many seeds of each.")] = 1,
    first_seed: Annotated[int, typer.Option(min=0, help="The first seed.")] = 0,
    target: Annotated[bool, typer.Option("--target", help="The element acted on instead of the needed lines.")] = False,
    answers: Annotated[bool, typer.Option("--answers", help="Only the steps that answer a question.")] = False,
) -> int:
    """Play tasks with their own policies and write each step with the lines it needed."""
    from focusagent.errors import UserError
    from focusagent.longpage import task_names
    from focusagent.longpage.benchmarks import max_steps
    from focusagent.longpage.record import Need
    from focusagent.longpage.record import record as play_and_record

    names = [name for name in task_names() if fnmatch(str(name), tasks)]
    if not names:
        raise UserError(f"no task matches {tasks!r}; `focusagent longpage list` shows them", 2)
    need: Need = "answers" if answers else "target" if target else "lines"
    if not out.parent.is_dir() or out.is_dir():
        raise UserError(f"{out} cannot be written: name a file in a folder that exists", 2)
    failed = 0
    limits = {str(name): max_steps(name) for name in names}
    for name, seed, success in play_and_record(limits, range(first_seed, first_seed + seeds), out, need):
        failed += not success
        say(f"{name} seed {seed}: {'solved' if success else 'NOT solved'}")
    return 1 if failed else 0
