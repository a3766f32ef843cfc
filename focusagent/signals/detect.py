"""The signal detector: has anything happened that the plan did not foresee? No model, no AgentLab.

After arXiv 2606.06708, section on signals. Trees are compared by bid and content, never by line number; what changes by
itself is named by rules (`volatile.json`), what the action explains by `echo`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from urllib.parse import urldefrag

from focusagent.actions import Call, calls
from focusagent.axtree import AxTree, LineRanges
from focusagent.axtree.diff import Diff, diff
from focusagent.axtree.properties import properties
from focusagent.retrieval.controls import INTERACTIVE_ROLES
from focusagent.signals.echo import echo
from focusagent.signals.failure import lacks_due_effect, missed_postcondition, neighbourhood
from focusagent.signals.kinds import ALL_KINDS, Signal, SignalKind, Signals, Snapshot
from focusagent.signals.volatile import Volatile, packaged

FIRST_ROLES = ("dialog", "alertdialog", "menu", "alert", "listbox")
NEW_ROLES = INTERACTIVE_ROLES | frozenset((*FIRST_ROLES, "status", "region", "form", "tree", "grid", "tabpanel", "log"))
MAX_ERROR = 200


def detect_signals(
    previous: Snapshot,
    current: Snapshot,
    action: str,
    *,
    kinds: frozenset[SignalKind] = ALL_KINDS,
    volatile: Volatile | None = None,
) -> Signals:
    """What fired between two observations, in the order of SignalKind. `action` is the text of what was done between
    them; "" and waiting explain nothing. `kinds` switches conditions off, for ablations."""
    rules = volatile or packaged()
    acts = calls(action)
    change = diff(previous.tree, current.tree)
    found = _sort(previous.tree, current.tree, change, acts, rules)
    fired = (signal for signal in _fired(previous, current, acts, found) if signal.kind in kinds)
    return Signals(tuple(fired), change, found.echo, found.volatile, found.new, found.altered, found.gone)


def _sort(old: AxTree, new: AxTree, change: Diff, acts: Iterable[Call], rules: Volatile) -> Signals:
    """All that changed, by cause; nothing has fired yet."""
    explained, erased = echo(old, new, change, acts, rules)
    same = LineRanges.of_numbers(pair.new.number for pair in change.changed if rules.same(pair.old, pair.new))
    added = LineRanges.of_numbers(line.number for line in change.added)
    altered = LineRanges.of_numbers(pair.new.number for pair in change.changed)
    quiet = same.union(rules.lines(new, change.touched.difference(same)))
    removed = LineRanges.of_numbers(line.number for line in change.removed)
    calm = explained.union(quiet)
    gone = removed.difference(erased).difference(rules.lines(old, removed))
    return Signals((), change, explained, quiet, added.difference(calm), altered.difference(calm), gone)


def _fired(previous: Snapshot, current: Snapshot, acts: tuple[Call, ...], found: Signals) -> Iterator[Signal]:
    if transition := _transition(previous, current):
        yield transition
    elements = _new_elements(current.tree, found.new)
    if elements:
        roles = sorted({current.tree.line(number).role for number in elements}, key=_first)
        yield Signal(SignalKind.NEW_ELEMENT, _subtrees(current.tree, elements), f"new: {', '.join(roles[:8])}")
    yield from _failures(previous, current, acts, found)
    rest = found.changed.difference(_subtrees(current.tree, elements))
    if rest or found.gone:
        detail = f"{rest.count} lines changed, {found.gone.count} gone"
        yield Signal(SignalKind.EXOGENOUS_EVENT, rest, detail, found.gone)
    for act in acts:
        if missed := missed_postcondition(act, previous.tree, current.tree):
            yield Signal(SignalKind.POSTCONDITION, neighbourhood(current.tree, act.bids), missed)


def _failures(previous: Snapshot, current: Snapshot, acts: tuple[Call, ...], found: Signals) -> Iterator[Signal]:
    bids = tuple(bid for act in acts for bid in act.bids)
    if current.error:
        yield Signal(SignalKind.ACTION_FAILURE, neighbourhood(current.tree, bids), shorten_error(current.error))
    elif not (found.changed or found.gone or found.echo or _transition(previous, current)):
        for act in acts:
            if lacks_due_effect(act, previous.tree, current.tree):
                lines = neighbourhood(current.tree, act.bids)
                yield Signal(SignalKind.ACTION_FAILURE, lines, f"{act.name} had no effect")


def shorten_error(error: str) -> str:
    """The first line of an error, where Playwright says what went wrong before it quotes the page."""
    return re.split(r"\n|Call log:", error.strip(), maxsplit=1)[0].strip()[:MAX_ERROR]


def _new_elements(tree: AxTree, new: LineRanges) -> LineRanges:
    """Added lines of a role that matters, dialogs and their like with all that is inside."""
    return LineRanges.of_numbers(number for number in new if tree.line(number).role in NEW_ROLES)


def _subtrees(tree: AxTree, numbers: LineRanges) -> LineRanges:
    return LineRanges.of(tree.subtree(number) for number in numbers)


def _first(role: str) -> tuple[int, str]:
    return (FIRST_ROLES.index(role) if role in FIRST_ROLES else len(FIRST_ROLES), role)


def _transition(previous: Snapshot, current: Snapshot) -> Signal | None:
    """Another address, or another document (by address or title) in the page or in one of its frames. A further frame
    is no transition but a change of the page."""
    known = {document for _, document in _documents(previous.tree)}
    documents = _documents(current.tree)
    others = LineRanges.of_numbers(number for number, document in documents if document not in known)
    replaced = others and (1 in others or len(documents) <= len(known))
    if _page(previous.url) == _page(current.url) and not replaced:
        return None
    lines = others or LineRanges.all(1)
    where = current.url or properties(current.tree.line(lines.pairs[0][0])).get("url", "")
    return Signal(SignalKind.URL_TRANSITION, lines, f"to {where}"[:MAX_ERROR])


def _documents(tree: AxTree) -> list[tuple[int, tuple[str, str]]]:
    """(line number, (address, title)) of each document, frames included; a leading "(3)" of a title is a counter."""
    roots = (line for line in tree.lines if line.role == "RootWebArea")
    return [
        (line.number, (_page(properties(line).get("url", "")), re.sub(r"^\(\d+\) ", "", line.name))) for line in roots
    ]


def _page(url: str) -> str:
    """The address without an anchor; fragments that are routes (`#/cart`, `#!cart`) are part of it."""
    address, fragment = urldefrag(url)
    return f"{address}#{fragment}" if fragment[:1] in ("/", "!") else address
