"""An answer of @playwright/mcp: Markdown with the page's address and title and, in a fence, its snapshot.

    ### Page
    - Page URL: http://...
    - Page Title: ...
    ### Snapshot
    ```yaml
    - generic [active] [ref=e1]:
    ```

Only fences of YAML are read as elements, since the other sections quote what a page or the client's own code says."""

from __future__ import annotations

import re
from collections.abc import Sequence

from focusagent.axtree.dialects import aria
from focusagent.axtree.dialects.aria_items import read_item
from focusagent.axtree.dialects.base import Dialect, Properties, Reading, attached, element, words
from focusagent.axtree.line import AxLine
from focusagent.axtree.ranges import LineRanges

_OPENS, _CLOSES = "```yaml", "```"
_URL, _TITLE = "- Page URL: ", "- Page Title: "
_LINK = re.compile(r"- \[Snapshot\]\(([^()\s]+)\)")


def blocks(lines: Sequence[str]) -> list[tuple[int, int]]:
    """Index of the first line inside each fence of YAML, and of the fence that ends it."""
    found, fence, start = list[tuple[int, int]](), "", 0
    for index, text in enumerate(lines):
        if fence and text.rstrip() == _CLOSES:
            if fence == _OPENS:
                found.append((start, index))
            fence = ""
        elif not fence and text.startswith(_CLOSES):
            fence, start = text.rstrip(), index + 1
    if fence == _OPENS:
        found.append((start, len(lines)))
    return found


def linked_file(lines: Sequence[str]) -> str:
    """The file that an answer links to instead of holding the snapshot; "" where it links to none."""
    return next((match[1] for text in lines if (match := _LINK.fullmatch(text.rstrip()))), "")


def read(lines: Sequence[str]) -> Reading:
    inside = blocks(lines)
    found: list[AxLine] = []
    owners: dict[int, int] = {}
    unread = LineRanges()
    for start, end in [*inside, (len(lines), len(lines))]:
        found.extend(words(number + 1, lines[number]) for number in range(len(found), start))
        block = aria.read_block(lines[start:end], start + 1)
        found.extend(block.lines)
        owners |= block.owners
        unread = unread.union(block.unread)
    fixed = LineRanges.of((start + 1, end) for start, end in inside if start < end).complement(len(lines))
    root = _read_root(lines, found, owners, fixed)
    return Reading(tuple(found), owners, fixed, unread, root)


def _read_root(lines: Sequence[str], found: list[AxLine], owners: dict[int, int], fixed: LineRanges) -> int:
    """Make the line of the page's address its root, named by its title. Returns its number; 1 where there is none."""
    for first, last in fixed.pairs:
        for number in range(first, last + 1):
            if not lines[number - 1].startswith(_URL):
                continue
            title = lines[number] if number < len(lines) and lines[number].startswith(_TITLE) else ""
            if title:
                found[number] = attached(number + 1, title, 0, "/title")
                owners[number + 1] = number
            url = {"url": lines[number - 1].removeprefix(_URL)}
            name = title.removeprefix(_TITLE)
            found[number - 1] = element(number, lines[number - 1], 0, "", "RootWebArea", name, url)
            return number
    return 1


def one(number: int, text: str) -> AxLine:
    return aria.one(number, text) if read_item(text.split("\n", 1)[0]) else words(number, text)


def write(line: AxLine, bid: str, role: str, label: str, properties: Properties) -> str:
    if read_item(line.text):
        return aria.write(line, bid, role, label, properties)
    if line.text.startswith(_CLOSES):
        return line.text
    if line.text.startswith("###"):
        return "###"
    return ("- " if line.text.startswith("- ") else "") + (label or role)


PLAYWRIGHT_MCP = Dialect("playwright-mcp", aria.fits, read, one, write, aria.gap, aria.edit, aria.nest)
