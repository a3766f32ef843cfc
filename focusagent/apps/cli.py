"""`focusagent apps`: what the benchmark holds, installing applications, one of them in a browser, recorded steps."""

from __future__ import annotations

import time
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from focusagent.printing import say, say_json

if TYPE_CHECKING:
    from focusagent.apps.app import App
    from focusagent.apps.server import AppServer

app = typer.Typer(
    no_args_is_help=True,
    help="Real applications as a benchmark, each in an environment of its own.",
    add_completion=False,
    rich_markup_mode=None,
)


@app.command("list")
def list_tasks(as_json: Annotated[bool, typer.Option("--json", help="One JSON array.")] = False) -> None:
    """The tasks, one a line: app, template, kind, pages, licence, whether the app is installed."""
    from focusagent.apps import APPS, task_names
    from focusagent.apps.benchmarks import metadata
    from focusagent.apps.install import is_installed

    table = metadata(task_names())
    rows = table.rename(columns={"browsergym_split": "split"}).to_dict(orient="records")
    for row in rows:
        row["licence"] = APPS[row["app"]].spec.licence
        row["installed"] = is_installed(APPS[row["app"]])
    if as_json:
        say_json(rows)
        return
    for row in rows:
        there = "installed" if row["installed"] else "not installed"
        facts = f"{row['kind']:11} pages {row['pages']}  {row['split']:5}  {row['licence']:13} {there}"
        say(f"{row['task_name']:38} {facts}")


@app.command()
def install(
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME]...", help="Which; all without a name.")] = None,
) -> int:
    """Install applications; what stands already is left, what was cut short goes on."""
    from focusagent.apps.install import install as install_app
    from focusagent.errors import UserError

    failed = 0
    for each in _apps(names or []):
        try:
            done = install_app(each)
        except UserError as error:
            say(str(error))
            failed += 1
        else:
            word = "installed" if done.fresh else "stood already"
            say(f"{each.name:12} {word}: {done.seconds:.0f} s, {done.megabytes:.0f} MB")
    return 1 if failed else 0


@app.command()
def serve(
    name: Annotated[str, typer.Argument(help="Which application.")],
    seed: Annotated[int, typer.Option(min=0, help="Seed of the content.")] = 0,
) -> None:
    """Serve a fresh copy on a free loopback port until interrupted."""
    from focusagent.apps.server import AppServer

    each = _apps([name])[0]
    server = AppServer(each)
    try:
        server.reset(seed)
        say(f"{each.spec.title}: {server.origin}")
        for login, account in each.spec.logins.items():
            say(f"  {login}: {account.user}, {account.password}")
        say("Ctrl-C stops it.")
        _wait_for(server)
    except KeyboardInterrupt:
        pass
    finally:
        server.stop()


@app.command()
def record(
    out: Annotated[Path, typer.Option(metavar="FILE", help="JSON lines for `focusagent coverage`.")],
    tasks: Annotated[str, typer.Option(metavar="GLOB", help="Which tasks.")] = "apps.*",
    seeds: Annotated[int, typer.Option(min=1, help="How many seeds of each.")] = 1,
    target: Annotated[bool, typer.Option("--target", help="The element acted on instead of the needed lines.")] = False,
) -> int:
    """Play tasks with their own policies and write each step with the lines it needed."""
    from focusagent.apps import task_names
    from focusagent.apps.benchmarks import max_steps
    from focusagent.apps.task import stop_copies
    from focusagent.errors import UserError
    from focusagent.longpage.record import record as play_and_record

    names = [name for name in task_names() if fnmatch(str(name), tasks)]
    if not names:
        raise UserError(f"no task matches {tasks!r}; `focusagent apps list` shows them", 2)
    if not out.parent.is_dir() or out.is_dir():
        raise UserError(f"{out} cannot be written: name a file in a folder that exists", 2)
    failed = 0
    limits = {str(name): max_steps(name) for name in names}
    try:
        for task, seed, success in play_and_record(limits, range(seeds), out, "target" if target else "lines"):
            failed += not success
            say(f"{task} seed {seed}: {'solved' if success else 'NOT solved'}")
    finally:
        stop_copies()
    return 1 if failed else 0


def _apps(names: list[str]) -> list[App]:
    from focusagent.apps.app import APPS
    from focusagent.errors import UserError

    unknown = [name for name in names if name not in APPS]
    if unknown:
        raise UserError(f"no application {unknown[0]!r}; there are {', '.join(APPS)}", 2)
    return [APPS[name] for name in names] if names else list(APPS.values())


def _wait_for(server: AppServer) -> None:
    while server.running:
        time.sleep(0.5)
