"""The proxy's own tools, answered from memory without asking the browser."""

from __future__ import annotations

from typing import Any

from focusagent.axtree import LineRanges
from focusagent.mcp.answers import Answers
from focusagent.mcp.changes import lines_of
from focusagent.mcp.tools import PAGE_FIND, PAGE_LINES
from focusagent.second_look import MAX_LINES, Look, restored


def answer_own(answers: Answers, tool: str, arguments: Any) -> dict[str, Any]:
    """The result of `page_lines`, `page_find` or `page_full`; an error result for arguments that do not fit."""
    given = arguments if isinstance(arguments, dict) else {}
    page = answers.memory.current(str(given.get("url") or ""))
    if page is None:
        return _said("no page has been answered yet: take a snapshot or navigate first", error=True)
    tree = page.focused.tree
    everything = LineRanges.all(len(tree))
    if tool == PAGE_LINES:
        first, last = given.get("first"), given.get("last")
        if not isinstance(first, int) or not isinstance(last, int) or not 1 <= first <= last:
            return _said("first and last must be line numbers, first not after last", error=True)
        if first > len(tree):
            return _said(f"the page has {len(tree)} lines only", error=True)
        wanted = LineRanges.of([(first, min(last, first + MAX_LINES - 1))]).clip(len(tree))
    elif tool == PAGE_FIND:
        text = given.get("text")
        if not isinstance(text, str) or not text.strip():
            return _said("text must be the words to look for", error=True)
        wanted = restored(tree, everything, Look(text=text))
        if not wanted:
            return _said(f"no line of the page holds all words of {text[:200]!r}")
    else:
        wanted = everything
    return _said(lines_of(answers.plain, page.focused, wanted, page.wanted))


def _said(text: str, error: bool = False) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}], "isError": error}
