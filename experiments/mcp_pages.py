"""What LongPage's start pages cost through a browser's MCP server, whole and through the proxy.

    python experiments/mcp_pages.py NODE_MODULES [--tasks 'longpage.*.25k']

NODE_MODULES holds @playwright/mcp and chrome-devtools-mcp; a Chromium is needed, no network. For each site and size
one task's start page is opened with the official client and a snapshot is taken, with `looking_for` the task's goal.
Prints Markdown. The tasks are not played: that a page is shorter does not say that it holds what the task needs.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import anyio
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from focusagent.longpage.server import SiteServer
from focusagent.longpage.sites import SITES, task_names, template_of
from focusagent.models.tokens import count_tokens

PROXY = (sys.executable, "-c", "from focusagent.cli import main; main()", "mcp", "--")


@dataclass(frozen=True)
class Server:
    """How a server is started, and the calls that open a page and show it."""

    name: str
    command: tuple[str, ...]
    navigate: str
    snapshot: str
    page: dict[str, Any]
    """What its calls say besides."""


def servers(modules: Path) -> Iterator[Server]:
    chromium = shutil.which("chromium") or "chromium"
    playwright = ("node", str(modules / "@playwright/mcp/cli.js"), "--headless", "--no-sandbox", "--isolated")
    yield Server(
        "@playwright/mcp", (*playwright, "--executable-path", chromium), "browser_navigate", "browser_snapshot", {}
    )
    devtools = ("node", str(modules / "chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js"), "--headless")
    more = ("--isolated", "--executablePath", chromium, "--chromeArg=--no-sandbox", "--no-usage-statistics")
    yield Server("chrome-devtools-mcp", (*devtools, *more), "navigate_page", "take_snapshot", {"pageId": 1})


async def tokens(server: Server, url: str, goal: str, through: bool) -> list[int]:
    """Tokens of the answers to navigating and to a snapshot."""
    command = (*PROXY, *server.command) if through else server.command
    parameters = StdioServerParameters(command=command[0], args=list(command[1:]), env=dict(os.environ))
    wanted = {"looking_for": goal} if through else {}
    counts = []
    with open(os.devnull, "w") as silent:
        async with stdio_client(parameters, errlog=silent) as (read, write), ClientSession(read, write) as session:
            await session.initialize()
            if server.page:
                await session.call_tool("list_pages", {})
            for tool, arguments in ((server.navigate, {"url": url}), (server.snapshot, {})):
                result = await session.call_tool(tool, {**server.page, **arguments, **wanted})
                counts.append(sum(count_tokens(getattr(item, "text", "")) for item in result.content))
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", type=Path)
    parser.add_argument("--tasks", default="longpage.*")
    given = parser.parse_args()
    print("| server | page | navigate | snapshot | navigate, proxy | snapshot, proxy | fewer in all |")
    print("|---|---|---|---|---|---|---|")
    seen = set()
    for name in task_names():
        if name.events or name.size not in ("8k", "25k") or (name.site, name.size) in seen:
            continue
        if not fnmatch(str(name), given.tasks):
            continue
        seen.add((name.site, name.size))
        state = SITES[name.site].state(0, name.size)
        draw = random.Random(0)
        posed = template_of(name).pose(state, draw)
        goal = template_of(name).goal(posed, draw)
        site = SiteServer(SITES[name.site].app(state))
        url = site.start() + posed.start
        for server in servers(given.modules):
            whole = anyio.run(tokens, server, url, goal, False)
            ours = anyio.run(tokens, server, url, goal, True)
            fewer = 1 - sum(ours) / sum(whole)
            cells = " | ".join(f"{count:,}" for count in (*whole, *ours))
            print(f"| {server.name} | {name} | {cells} | {fewer:.0%} |", flush=True)
        site.stop()


if __name__ == "__main__":
    main()
