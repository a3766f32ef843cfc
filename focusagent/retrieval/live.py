"""Lines that stay whatever a retriever says: what lies over the page, what has the focus, what was just acted on."""

from __future__ import annotations

from collections.abc import Iterator

from focusagent.actions import bids_of
from focusagent.axtree import AxLine, AxTree, LineRanges
from focusagent.axtree.properties import properties
from focusagent.retrieval.base import Query
from focusagent.retrieval.controls import INTERACTIVE_ROLES

OVERLAYS = frozenset({"dialog", "alertdialog"})
TEXT_ROLES = frozenset({"StaticText", "paragraph", "text"})
HEADINGS = frozenset({"heading", "cell", "gridcell", "rowheader", "columnheader"})
MAX_OVERLAY = 60  # lines of one dialog; of a longer one only its names and controls stay
MAX_TEXT_LINES, MAX_TEXT = 6, 1_200  # lines and characters of text kept under one heading


def live_lines(query: Query) -> LineRanges:
    """Open dialogs, the focused element and what the last action touched, with the text inside them and the named
    lines above them. Linear in the page."""
    tree = query.tree
    wanted = {query.focused_bid, *bids_of(query.last_action)} - {""}
    found: set[int] = set()
    for line in tree.lines:
        if line.bid in wanted or (line.role not in ("RootWebArea", "Iframe") and _is_focused(line)):
            found.update(_with_text(tree, line.number))
        elif line.role in OVERLAYS or ", modal=True" in line.reading:
            found.update(_overlay(tree, line.number))
    for number in sorted(found):
        found.update(above for above in tree.ancestors(number) if tree.line(above).name.strip())
    return LineRanges.of_numbers(found)


def text_below(tree: AxTree, chosen: LineRanges) -> LineRanges:
    """The text without a bid that stands directly under a chosen heading or cell, up to the next element that can be
    acted on or the next heading; bounded for each."""
    found: set[int] = set()
    for number in chosen:
        if tree.line(number).role in HEADINGS:
            found.update(_paragraphs_after(tree, number))
    return LineRanges.of_numbers(found)


def _is_focused(line: AxLine) -> bool:
    return "focused" in line.reading and "focused" in properties(line)


def _with_text(tree: AxTree, number: int) -> Iterator[int]:
    """The element and the text inside it, which is what it says or holds."""
    first, last = tree.subtree(number)
    yield first
    for inside in range(first + 1, min(last, first + MAX_OVERLAY) + 1):
        if not tree.line(inside).bid:
            yield inside


def _overlay(tree: AxTree, number: int) -> Iterator[int]:
    first, last = tree.subtree(number)
    whole = last - first < MAX_OVERLAY
    for inside in range(first, last + 1):
        line = tree.line(inside)
        if whole or inside == first or line.role in INTERACTIVE_ROLES or line.role == "heading":
            yield inside


def _paragraphs_after(tree: AxTree, number: int) -> Iterator[int]:
    """Lines after a heading's own subtree, as long as they are text and within the bounds."""
    _, last = tree.subtree(number)
    characters = 0
    for after in range(last + 1, min(last + MAX_TEXT_LINES, len(tree)) + 1):
        line = tree.line(after)
        characters += len(line.name)
        if line.role not in TEXT_ROLES or (line.bid and line.role != "paragraph") or characters > MAX_TEXT:
            return
        yield after
