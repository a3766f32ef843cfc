"""How long LongPage's pages are: the start page of each task in each size class, in tokens of AxTree.

    python experiments/longpage_pages.py [--tasks 'longpage.*'] [--seed 0] [--out PAGES.jsonl]

Prints the table of docs/longpage.md; `--out` keeps the trees for `longpage_calibration.py`. Needs a browser, no
network.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from focusagent.longpage.server import SiteServer
from focusagent.longpage.site import Site
from focusagent.longpage.sites import SITES, task_names, template_of
from focusagent.longpage.state import SiteState
from focusagent.models.tokens import count_tokens
from focusagent.page import axtree_of_url
from focusagent.sizes import SIZES


@dataclass(frozen=True)
class StartPage:
    """`tokens` are o200k_base tokens of the tree as agents see it, visible and clickable tags included."""

    task: str
    site: str
    size: str
    tokens: int
    axtree: str


def start_pages(pattern: str, seed: int) -> Iterator[StartPage]:
    """Tasks that start on the same page share one look at it."""
    seen: dict[tuple[str, str, str], str] = {}
    for name in task_names():
        if name.events or not fnmatch(str(name), pattern):
            continue
        state = SITES[name.site].state(seed, name.size)
        posed = template_of(name).pose(state, random.Random(seed))
        page = (name.site, name.size, posed.start)
        if page not in seen:
            seen[page] = _tree(SITES[name.site], state, posed.start)
        yield StartPage(str(name), name.site, name.size, count_tokens(seen[page]), seen[page])


def _tree(site: Site[Any], state: SiteState, path: str) -> str:
    server = SiteServer(site.app(state))
    try:
        return axtree_of_url(server.start() + path)
    finally:
        server.stop()


def table(pages: list[StartPage]) -> str:
    """Markdown: a row a template, a column a size class."""
    tokens = {page.task: page.tokens for page in pages}
    rows = [
        "| task | kind | pages | foreign label | " + " | ".join(SIZES) + " |",
        "|---|---|---:|---|" + "---:|" * len(SIZES),
    ]
    for site in SITES.values():
        for template in site.tasks.values():
            name = f"longpage.{site.name}.{template.name}"
            cells = [f"{tokens[f'{name}.{size}']:,}" if f"{name}.{size}" in tokens else "" for size in SIZES]
            if any(cells):
                about = [
                    f"{site.name}.{template.name}",
                    template.kind,
                    str(template.pages),
                    "yes" * template.foreign_label,
                ]
                rows.append("| " + " | ".join([*about, *cells]) + " |")
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", default="longpage.*")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    pages = []
    with args.out.open("w", encoding="utf-8") if args.out else nullcontext() as file:
        for page in start_pages(args.tasks, args.seed):
            pages.append(page)
            print(f"{page.task} {page.tokens}", file=sys.stderr, flush=True)
            if file:
                file.write(json.dumps(asdict(page)) + "\n")
    print(table(pages))


if __name__ == "__main__":
    main()
