"""`focusagent mcp`: the proxy before an MCP server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def mcp(
    command: Annotated[list[str], typer.Argument(metavar="-- COMMAND", help="Starts the server to wrap.")],
    goal: Annotated[str, typer.Option(help="What pages are focused on until the client says what it needs.")] = "",
    share: Annotated[float | None, typer.Option(metavar="S", help="Which part of a page may stay, 0 to 1.")] = None,
    lean: Annotated[bool, typer.Option("--lean", help="Show less of each page.")] = False,
    defense: Annotated[bool, typer.Option("--defense", help="Withhold injected and unreadable text.")] = False,
    allow_origins: Annotated[
        list[str], typer.Option(metavar="ORIGIN", help="Refuse calls with a url elsewhere; may be repeated.")
    ] = [],  # noqa: B006
    log: Annotated[Path | None, typer.Option(metavar="FILE", help="Append one JSON line an answer.")] = None,
    inline: Annotated[bool, typer.Option("--inline/--no-inline", help="Show pages that answers link to.")] = True,
    http: Annotated[int | None, typer.Option(metavar="PORT", help="Serve http://127.0.0.1:PORT/mcp instead.")] = None,
) -> int:
    """Put a proxy before a browser's MCP server: its page snapshots are focused, all else passes."""
    import anyio

    from focusagent.mcp.http import serve_http
    from focusagent.mcp.serve import serve_stdio
    from focusagent.mcp.settings import Settings
    from focusagent.printing import say

    settings = Settings(goal.strip(), share, lean, defense, tuple(allow_origins), log, inline)
    if http is None:
        code, ledger = anyio.run(serve_stdio, command, settings)
    else:
        code, ledger = anyio.run(serve_http, command, settings, http)
    say(f"focusagent mcp: {ledger.summary()}", error=True)
    return code
