"""What each action changed, as a text in the history: AgentLab's `use_diff` flag for trees, whose code is dead there.

GenericAgent keeps no past page in its prompt, so without this an agent sees what it did but not what came of it."""

from __future__ import annotations

from dataclasses import replace

from focusagent.axtree import AxLine, LineRanges
from focusagent.axtree.diff import Diff, describe, diff
from focusagent.focused import Focused
from focusagent.signals.volatile import packaged

MAX_LINES = 8
MAX_WIDTH = 120
OTHER_PAGE = 0.5


class HistoryDiff:
    """Compares each page with the one before; knows only lines that the agent was shown, so nothing that a retriever or
    a defence held back comes in this way."""

    def __init__(self) -> None:
        self.before: Focused | None = None

    def remember(self, memories: list[str | None], now: Focused) -> None:
        """Add to the last step's memory what the step changed."""
        note = self.note(now)
        if note and memories:
            memories[-1] = "\n".join(part for part in (memories[-1], note) if part)

    def note(self, now: Focused) -> str:
        """What changed since the last call, in at most MAX_LINES lines of MAX_WIDTH characters; "" at first."""
        before, self.before = self.before, now
        if before is None:
            return ""
        change = diff(before.tree, now.tree)
        if len(change.added) > OTHER_PAGE * len(now.tree):
            title = now.tree.line(1).name[:MAX_WIDTH]
            return f"Another page: {title!r}" if 1 in _readable(now) else "Another page."
        shown = _shown(change, before, now)
        return f"This changed:\n{describe(shown, MAX_LINES, MAX_WIDTH)}" if shown else "Nothing that was shown changed."


def _shown(change: Diff, before: Focused, now: Focused) -> Diff:
    """The part of the change that lies in lines shown, less what changes by itself."""
    old, new, rules = _readable(before), _readable(now), packaged()

    def matters(line: AxLine, lines: LineRanges) -> bool:
        return line.number in lines and bool(line.text.strip())

    return replace(
        change,
        added=tuple(line for line in change.added if matters(line, new)),
        removed=tuple(line for line in change.removed if matters(line, old)),
        changed=tuple(pair for pair in change.changed if matters(pair.new, new) and not rules.same(pair.old, pair.new)),
    )


def _readable(focused: Focused) -> LineRanges:
    return focused.ranges.difference(focused.flagged)
