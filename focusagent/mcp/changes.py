"""A page that barely changed since it was last shown, answered by what changed."""

from __future__ import annotations

from dataclasses import replace

from focusagent.axtree import LineRanges
from focusagent.focused import Focused
from focusagent.focuser import Focuser
from focusagent.mcp.memory import Page
from focusagent.retrieval import Selection
from focusagent.signals import Snapshot, detect_signals

MOST_LINES, MOST_SHARE = 40, 0.1


def only_changes(plain: Focuser, before: Page, now: Focused, wanted: str) -> str | None:
    """What is new on the page and how many lines are gone; None where so much changed that the page itself says it
    better, or where that would not be shorter."""
    old, new = before.focused.tree, now.tree
    signals = detect_signals(Snapshot(old), Snapshot(new), "")
    touched = signals.diff.touched
    if touched.count + len(signals.diff.removed) > min(MOST_LINES, MOST_SHARE * len(new)):
        return None
    above = {ancestor for number in touched for ancestor in new.ancestors(number) if new.line(ancestor).name.strip()}
    text = lines_of(plain, now, touched.union(LineRanges.of_numbers(above)), wanted)
    gone = f", {len(signals.diff.removed)} gone" if signals.diff.removed else ""
    head = (
        f"The page is as last shown, but for {touched.count} new or changed lines{gone}."
        if touched or gone
        else ("The page is unchanged since it was last shown.")
    )
    answer = f"{head} page_lines, page_find and page_full show the rest.\n{text if touched else ''}".rstrip("\n")
    return answer if len(answer) < len(now.text) else None


def lines_of(plain: Focuser, focused: Focused, lines: LineRanges, wanted: str) -> str:
    """Those lines of a page as received, with placeholders between them; a defence vets them like others."""
    nothing = replace(focused, selection=Selection(LineRanges()))
    return plain.show_more(nothing, lines, wanted).text
