"""Which dialect a text is written in, and what it is where it is no tree.

A vote of the text's first lines, each read by itself: one line that a page wrote cannot outvote the lines around it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from focusagent.axtree.dialects import playwright_mcp
from focusagent.axtree.dialects.aria import ARIA
from focusagent.axtree.dialects.base import Dialect
from focusagent.axtree.dialects.browser_use import BROWSER_USE
from focusagent.axtree.dialects.browsergym import BROWSERGYM
from focusagent.axtree.dialects.chrome_devtools import CHROME_DEVTOOLS
from focusagent.axtree.dialects.playwright_mcp import PLAYWRIGHT_MCP
from focusagent.axtree.dialects.webarena import WEBARENA

DIALECTS: dict[str, Dialect] = {
    dialect.name: dialect for dialect in (BROWSERGYM, WEBARENA, ARIA, PLAYWRIGHT_MCP, CHROME_DEVTOOLS, BROWSER_USE)
}
"""Name -> dialect; the first of those that fit equally well is taken."""

FIRST, SAMPLE = 12, 200
SURE, HARDLY = 0.8, 0.1
_HTML = re.compile(r"\s*<(?:!doctype|html|head|body|div|main|section|p|span|table|ul|form|script|\?xml|!--)\b", re.I)
_JSON = re.compile(r"\s*(?:\{\s*[\"}]|\[\s*[\[{\"\]])")


def recognise(lines: Sequence[str]) -> Dialect:
    """The dialect that most of the first lines fit; BrowserGym's where none fits, since it reads any text."""
    if BROWSERGYM.fits(lines[0]) and _share(BROWSERGYM, lines, FIRST) >= SURE:
        return BROWSERGYM  # WebArena's root tells its focus, so it does not fit
    if lines[0].startswith("### "):
        return PLAYWRIGHT_MCP
    candidates = [dialect for dialect in DIALECTS.values() if dialect is not PLAYWRIGHT_MCP]
    shares = {dialect.name: _share(dialect, lines) for dialect in candidates}
    best = max(candidates, key=lambda dialect: shares[dialect.name])
    return best if shares[best.name] >= HARDLY else BROWSERGYM


def _share(dialect: Dialect, lines: Sequence[str], sample: int = SAMPLE) -> float:
    """Which part of the first lines that are not blank fit the dialect."""
    first = list(islice((text for text in lines if text.strip()), sample))
    return sum(map(dialect.fits, first)) / len(first) if first else 0.0


def doubt(dialect: Dialect, lines: Sequence[str]) -> str:
    """In a line, why the text is no tree; "" where it reads as one."""
    inside = lines
    if dialect is PLAYWRIGHT_MCP:
        inside = [text for start, end in playwright_mcp.blocks(lines) for text in lines[start:end]]
    if not any(text.strip() for text in lines) or _share(dialect, inside) >= HARDLY:
        return ""
    if dialect is PLAYWRIGHT_MCP and (file := playwright_mcp.linked_file(lines)):
        return f"the answer holds no page, only a link to one: give the text of {file[:200]}"
    head = "\n".join(lines[:50])
    if _HTML.match(head):
        return "this is HTML, not an accessibility tree: `focusagent prune page.html` opens a page and reads its tree"
    if _JSON.match(head):
        return "this is JSON, not an accessibility tree as text"
    return "this reads as no accessibility tree: hardly a line has an id or a name"
