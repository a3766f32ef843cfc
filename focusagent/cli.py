"""The `focusagent` command. Each part of the package brings its own commands; they load when they are called."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from focusagent.coverage.cli import coverage
from focusagent.errors import UserError
from focusagent.extras import explained
from focusagent.mcp.cli import mcp
from focusagent.printing import say, say_json
from focusagent.studies import cli as studies_cli

app = typer.Typer(
    name="focusagent",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
# typer carries its own copy of click and exports of its errors only this one's children
WrongUse: type[Exception] = typer.BadParameter.__bases__[0]


@app.callback()
def focusagent() -> None:
    """A retriever before the web agent: see only the part of the page that matters."""


@app.command()
def prune(
    page: Annotated[str, typer.Argument(metavar="FILE|URL|-", help="AxTree text in a file or on stdin, or a page.")],
    goal: Annotated[str, typer.Option(help="What the agent is to do on the page.")],
    retriever: Annotated[str, typer.Option(metavar="NAME", help="Which retriever chooses.")] = "local",
    model: Annotated[str, typer.Option(metavar="NAME", help="The model of a retriever that uses one.")] = "",
    simplify: Annotated[bool, typer.Option("--simplify/--no-simplify", help="Shorten the tree first.")] = True,
    strategy: Annotated[str, typer.Option(help="soft, neutral, aggressive or defense (for llm).")] = "soft",
    keep: Annotated[
        str, typer.Option(help="What removed lines leave: nothing, bid, role, bid+role, ...-marked.")
    ] = "nothing",
    defense: Annotated[bool, typer.Option("--defense", help="Detect and sanitise injected text; fail closed.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print figures and text as one JSON object.")] = False,
) -> None:
    """Print the lines of a page that matter for a goal."""
    from focusagent.prune_command import Settings, run_prune

    settings = Settings(goal, retriever, model, simplify, strategy, keep, defense)
    pruned = run_prune(page, settings)
    if as_json:
        say_json(pruned.as_json())
    else:
        say(pruned.text)
        say(pruned.summary, error=True)
    if pruned.note:
        say(f"focusagent: {pruned.note}", error=True)


app.command()(coverage)
app.command()(mcp)


@app.command()
def doctor(fix: Annotated[bool, typer.Option("--fix", help="Install what can be installed.")] = False) -> int:
    """Say what this machine lacks for which study, and the command that mends it."""
    from focusagent.doctor import run_doctor

    return run_doctor(fix)


@app.command("install-browser")
def get_browser() -> None:
    """Get a Chromium that Playwright finds."""
    from focusagent.browser import install_browser

    install_browser()


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []})
def longpage(context: typer.Context) -> int:
    """The benchmark of long pages: list its tasks, serve its sites, record needed lines."""
    from focusagent.longpage.cli import app as longpage_app

    result = longpage_app(context.args, prog_name="focusagent longpage", standalone_mode=False)
    return result if isinstance(result, int) else 0


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []})
def apps(context: typer.Context) -> int:
    """Real applications as a benchmark: list their tasks, install them, serve one, record needed lines."""
    from focusagent.apps.cli import app as apps_app

    result = apps_app(context.args, prog_name="focusagent apps", standalone_mode=False)
    return result if isinstance(result, int) else 0


studies_cli.register(app)


def main() -> None:
    """Run the command line; failures that a user can mend are one line and an exit code."""
    for stream in (sys.stdout, sys.stderr):
        _never_fail(stream)
    try:
        result = app(prog_name="focusagent", standalone_mode=False)
        code = result if isinstance(result, int) else 0
    except UserError as error:
        code = _say(str(error), error.exit_code)
    except ModuleNotFoundError as error:
        missing = explained(error)
        if missing is None:
            raise
        code = _say(str(missing), missing.exit_code)
    except WrongUse as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            say(str(error))
            sys.exit(0)
        code = _say(f"{_sentence(error)}; try `focusagent --help`", 2)
    except (KeyboardInterrupt, typer.Abort):
        code = _say("stopped", 130)
    except BrokenPipeError:
        code = 1
    sys.exit(code)


def _never_fail(stream: Any) -> None:
    """Pages hold any character; a terminal that cannot show one gets an escape instead of an error."""
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(errors="backslashreplace")


def _sentence(error: Exception) -> str:
    """What is wrong, in a line: typer's errors say more in `format_message` than in `str`."""
    message = error.format_message() if hasattr(error, "format_message") else str(error)
    return " ".join(str(message).split()).rstrip(".")


def _say(message: str, code: int) -> int:
    say(f"focusagent: {message}", error=True)
    return code
