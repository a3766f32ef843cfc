"""What an action explains by itself: the value typed, the option chosen, and where the page repeats them.

Everything else that changed is news, even when the action is its cause: typing a code explains the text in its box, not
that a button became enabled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from focusagent.actions import Call
from focusagent.axtree import AxLine, AxTree, LineRanges
from focusagent.axtree.diff import Change, Diff
from focusagent.axtree.properties import drop_properties, properties
from focusagent.signals.action import CHOOSING, FIELDS, TYPING
from focusagent.signals.volatile import Volatile

STATE = frozenset({"checked", "selected", "pressed", "value", "expanded"})
CHOICES = frozenset({"radio", "option", "tab", "checkbox", "switch", "menuitemradio", "menuitemcheckbox", "combobox"})
NEWS = frozenset({"disabled", "invalid", "readonly", "required"})
MAX_GROUP = 60
MIN_MIRRORED = 4


def echo(
    old: AxTree, new: AxTree, diff: Diff, acts: Iterable[Call], volatile: Volatile
) -> tuple[LineRanges, LineRanges]:
    """Touched lines of the new tree and removed lines of the old one that the acts explain."""
    touched, gone = set[int](), set[int]()
    for act in acts:
        if act.name in TYPING:
            touched.update(_typed(new, diff, act))
            gone.update(_erased(old, diff, act))
        if act.name in CHOOSING:
            touched.update(_chosen(new, diff, act, volatile))
    return LineRanges.of_numbers(touched), LineRanges.of_numbers(gone)


def _typed(new: AxTree, diff: Diff, act: Call) -> Iterator[int]:
    """The box itself and what is in it, the names computed from it, and other fields that the page fills with it."""
    text = _text(act)
    for bid in act.bids:
        if not (box := new.by_bid.get(bid, 0)):
            continue
        first, last = new.subtree(box)
        around = {*new.ancestors(box), *range(first + 1, last + 1)}
        yield from (line.number for line in diff.added if first < line.number <= last and not line.bid)
        for change in diff.changed:
            line = change.new
            if line.number in around:
                is_echo = not line.bid or _says(line, text)
            else:
                is_echo = line.number == box or (_is_field(line) and _mirrors(line, text))
            if is_echo and not _is_news(change):
                yield line.number
    for line in diff.added:
        if line.role == "StaticText" and _mirrors(line, text) and _is_field(new.line(new.parent(line.number) or 1)):
            yield line.number


def _text(act: Call) -> str:
    """What was typed; the keys of a `press` that are no characters type nothing."""
    return " ".join(value for value in act.values if act.name != "press" or len(value) == 1).strip()


def _erased(old: AxTree, diff: Diff, act: Call) -> Iterator[int]:
    """What stood in the box before."""
    for bid in act.bids:
        if box := old.by_bid.get(bid, 0):
            first, last = old.subtree(box)
            yield from (line.number for line in diff.removed if first < line.number <= last and not line.bid)


def _chosen(new: AxTree, diff: Diff, act: Call, volatile: Volatile) -> Iterator[int]:
    """State of choices in the smallest group around the element that holds more than itself."""
    for bid in act.bids:
        if not (number := new.by_bid.get(bid, 0)):
            continue
        first, last = _group(new, number)
        for change in diff.changed:
            inside = first <= change.new.number <= last
            if inside and change.new.role in CHOICES and _only_state(change, volatile):
                yield change.new.number
            elif change.new.number == number and _only_state(change, volatile):
                yield number


def _group(tree: AxTree, number: int) -> tuple[int, int]:
    """The largest subtree of at most MAX_GROUP lines around a line: a radio group, a list box, a fieldset."""
    span = tree.subtree(number)
    for above in islice(tree.ancestors(number), 8):
        wider = tree.subtree(above)
        if wider[1] - wider[0] + 1 > MAX_GROUP:
            break
        span = wider
    return span


def _only_state(change: Change, volatile: Volatile) -> bool:
    old, new = (drop_properties(volatile.reading(line), STATE) for line in (change.old, change.new))
    return old == new


def _is_news(change: Change) -> bool:
    """A field that became invalid, required or disabled says more than what was typed."""
    old, new = properties(change.old), properties(change.new)
    return change.old.role != change.new.role or any(old.get(name) != new.get(name) for name in NEWS)


def _says(line: AxLine, text: str) -> bool:
    return bool(text) and (text in line.name or text in properties(line).get("value", ""))


def _mirrors(line: AxLine, text: str) -> bool:
    """Short texts such as "1" occur anywhere, so they must be all that the line says."""
    shown = properties(line).get("value", line.name)
    return bool(text) and (shown == text or (len(text) >= MIN_MIRRORED and text in shown))


def _is_field(line: AxLine) -> bool:
    return line.role in FIELDS
