"""Whether the same page is focused alike in BrowserGym's form and as a snapshot of the two MCP servers.

    python experiments/dialects_agree.py record --servers FOLDER --out PAGES.jsonl [--sizes 8k 25k] [--tasks GLOB]
        [--verbose]
    python experiments/dialects_agree.py compare PAGES.jsonl

`record` opens the start page of each LongPage template once with BrowserGym's reading and once through
@playwright/mcp and chrome-devtools-mcp (`npm install @playwright/mcp chrome-devtools-mcp` in FOLDER); needs a browser,
node and the `mcp` package, no network. `compare` focuses each recording with `local` and prints, for each form and
size: how many of the lines that the task's own policy needs are kept, which share of the page's named controls is kept,
and how often a control that all forms have meets the same fate as in BrowserGym's.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from focusagent.axtree import AxTree, LineRanges
from focusagent.browser import expected_path
from focusagent.environments import know_benchmark
from focusagent.focuser import focus
from focusagent.longpage.server import SiteServer
from focusagent.longpage.sites import SITES, task_names, template_of
from focusagent.page import axtree_of_url
from focusagent.retrieval.local.kinds import ACTIVE, kind
from focusagent.scripted.needed import needed_lines
from focusagent.scripted.policies import next_plan
from focusagent.sizes import Size

FORMS = ("browsergym", "playwright-mcp", "chrome-devtools")
MAX_RUNS = 2_000
Control = tuple[str, str, int]


@dataclass(frozen=True)
class Recorded:
    """One start page in each form. `needed` are the names of the lines that the task's own policy needs on it."""

    task: str
    size: str
    goal: str
    needed: tuple[str, ...]
    texts: dict[str, str]


def servers(folder: Path) -> dict[str, tuple[list[str], list[str]]]:
    """Form -> its server's command, and the tools that open a page and print it."""
    browser, bin_folder = str(expected_path()), folder / "node_modules" / ".bin"
    playwright = [str(bin_folder / "playwright-mcp"), "--headless", "--isolated", "--no-sandbox"]
    chrome = [str(bin_folder / "chrome-devtools-mcp"), "--headless", "--isolated", "--chromeArg=--no-sandbox"]
    return {
        "playwright-mcp": (
            [*playwright, "--executable-path", browser, "--output-dir", str(folder / "out")],
            ["browser_navigate", "browser_snapshot"],
        ),
        "chrome-devtools": (
            [*chrome, "--executablePath", browser, "--no-usage-statistics", "--no-page-id-routing"],
            ["navigate_page", "take_snapshot"],
        ),
    }


async def snapshots(urls: list[str], command: list[str], tools: list[str], verbose: bool) -> list[str]:
    """What the server's tool answers for each address."""
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    texts = []
    parameters = StdioServerParameters(command=command[0], args=command[1:])
    async with stdio_client(parameters) as streams, ClientSession(*streams) as session:
        await session.initialize()
        for url in urls:
            await session.call_tool(tools[0], {"url": url})
            answer = await session.call_tool(
                tools[1], {"verbose": True} if verbose and tools[1] == "take_snapshot" else {}
            )
            texts.append("\n".join(part.text for part in answer.content if part.type == "text"))
    return texts


def record(folder: Path, pattern: str, sizes: Iterable[Size], verbose: bool) -> Iterator[Recorded]:
    """The templates' start pages; templates that start on the same page share one look at it."""
    for size in sizes:
        for site in SITES.values():
            posed = {}
            for name in task_names():
                if (name.site, name.size) == (site.name, size) and not name.events and fnmatch(str(name), pattern):
                    draw = random.Random(0)
                    template = template_of(name)
                    task = template.pose(site.state(0, size), draw)
                    posed[str(name)] = (template.goal(task, draw), task.start)
            paths = list(dict.fromkeys(start for _, start in posed.values()))
            pages = look(site.app(site.state(0, size)), paths, folder, verbose)
            for task_name, (goal, start) in posed.items():
                yield Recorded(
                    task_name, size, goal, tuple(needed_names(pages[start]["browsergym"], goal)), pages[start]
                )


def look(app: Any, paths: list[str], folder: Path, verbose: bool) -> dict[str, dict[str, str]]:
    """Path -> form -> the page in it."""
    server = SiteServer(app)
    try:
        urls = [server.start()]
        urls = [urls[0] + path for path in paths]
        found = {path: {"browsergym": axtree_of_url(url)} for path, url in zip(paths, urls, strict=True)}
        for form, (command, tools) in servers(folder).items():
            for path, text in zip(paths, asyncio.run(snapshots(urls, command, tools, verbose)), strict=True):
                found[path][form] = text
        return found
    finally:
        server.stop()


def needed_names(axtree: str, goal: str) -> Iterator[str]:
    lines = AxTree.parse(axtree).lines

    def act(shown: Any) -> tuple[str, str]:
        plan = next_plan(goal, shown, (), ())
        return plan[0], plan.note

    for number in needed_lines(lines, act, MAX_RUNS).lines:
        if name := " ".join(lines[number - 1].name.split()):
            yield name


def controls(tree: AxTree, kept: LineRanges) -> dict[Control, bool]:
    """(kind, name, how many of the like came before) of each named control -> whether it is kept."""
    seen = Counter[tuple[str, str]]()
    found = {}
    for line in tree.lines:
        name = " ".join(line.name.split())
        if line.bid and name and kind(line) in ACTIVE - {"option"}:
            found[kind(line), name, seen[kind(line), name]] = line.number in kept
            seen[kind(line), name] += 1
    return found


def says(tree: AxTree, kept: LineRanges, name: str) -> bool:
    """A kept line says the words, in its name or (texts that the form joins) as part of it."""
    return any(name in " ".join(tree.line(number).reading.split()) for number in kept)


def compare(rows: list[Recorded]) -> str:
    """A Markdown table: a row for each size and form."""
    needed: dict[tuple[str, str], list[bool]] = defaultdict(list)
    share: dict[tuple[str, str], list[float]] = defaultdict(list)
    same: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for row in rows:
        fates: dict[str, dict[Control, bool]] = {}
        for form in FORMS:
            focused = focus(row.texts[form], row.goal, dialect=form)
            fates[form] = controls(focused.tree, focused.ranges)
            needed[row.size, form] += [says(focused.tree, focused.ranges, name) for name in row.needed]
        both = [one for one in fates["browsergym"] if all(one in fates[form] for form in FORMS)]
        for form in FORMS:
            share[row.size, form].append(sum(fates[form][one] for one in both) / max(len(both), 1))
            same[row.size, form] += [fates[form][one] == fates["browsergym"][one] for one in both]
    lines = [
        "| size | form | needed lines kept | controls kept | same fate as in BrowserGym's form |",
        "|---|---|---:|---:|---:|",
    ]
    for size, form in needed:
        cells = (mean(needed[size, form]), mean(share[size, form]), mean(same[size, form]))
        lines.append(f"| {size} | {form} | " + " | ".join(f"{cell:.1%}" for cell in cells) + " |")
    return "\n".join(lines)


def mean(values: list[Any]) -> float:
    return sum(values) / len(values) if values else 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    recording = commands.add_parser("record")
    recording.add_argument("--servers", type=Path, required=True)
    recording.add_argument("--out", type=Path, required=True)
    recording.add_argument("--sizes", nargs="+", default=["8k", "25k"])
    recording.add_argument("--tasks", default="longpage.*")
    recording.add_argument("--verbose", action="store_true", help="chrome-devtools-mcp's verbose snapshots")
    commands.add_parser("compare").add_argument("pages", type=Path)
    args = parser.parse_args()
    if args.command == "record":
        know_benchmark("longpage")
        with args.out.open("w", encoding="utf-8") as file:
            for page in record(args.servers, args.tasks, args.sizes, args.verbose):
                file.write(json.dumps(asdict(page), ensure_ascii=False) + "\n")
                print(page.task, len(page.needed), flush=True)
        return
    rows = [json.loads(line) for line in args.pages.read_text(encoding="utf-8").splitlines()]
    print(compare([Recorded(**{**row, "needed": tuple(row["needed"])}) for row in rows]))


if __name__ == "__main__":
    main()
