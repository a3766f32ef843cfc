"""A part of one long line, with marks that say how much of it is cut on either side."""

from __future__ import annotations

import re
from collections.abc import Iterable

from focusagent.axtree.line import QUOTED, parse_line
from focusagent.axtree.properties import split_line

_NAME = re.compile(rf"(?:{QUOTED})$", re.DOTALL)
Span = tuple[int, int]
"""First character and one past the last, counted in the line's name (in its text where it has none)."""


def excerpt(text: str, spans: Iterable[Span]) -> str:
    """The line `text` with only `spans` of its name (of its whole text where it has no name) left, in order. Each cut
    is marked with its length: `… (+812 characters) … kept … (+1,204 characters)`. Spans outside of the name are
    clipped; the line stays as it is where none is left."""
    line = parse_line(text)
    indent = text[: line.depth]
    head, tail = split_line(text)
    quoted = _quoted(head)
    if not quoted:
        return indent + _cut(text[line.depth :], spans)
    return head[: len(head) - len(quoted)] + repr(_cut(line.name, spans)) + tail


def _quoted(head: str) -> str:
    """The name as it stands at the end of a line's head, its quotes included."""
    found = _NAME.search(head)
    return found[0] if found else ""


def _cut(text: str, spans: Iterable[Span]) -> str:
    parts = []
    position = 0
    for first, last in sorted(spans):
        start, end = max(first, position), min(last, len(text))
        if start >= end:
            continue
        if start > position:
            parts.append(f"… (+{start - position:,} characters) …")
        parts.append(text[start:end].strip())
        position = end
    if not parts:
        return text
    if position < len(text):
        parts.append(f"… (+{len(text) - position:,} characters)")
    return " ".join(parts)
