"""Whether last step's selection still serves: carried over whole, asked about in part, or made afresh."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, get_args

from focusagent.actions import calls
from focusagent.axtree import AxTree, LineRanges
from focusagent.axtree.properties import properties
from focusagent.retrieval.base import Query, Selection
from focusagent.retrieval.controls import INTERACTIVE_ROLES
from focusagent.signals.detect import FIRST_ROLES, detect_signals, shorten_error
from focusagent.signals.failure import neighbourhood
from focusagent.signals.kinds import ALL_KINDS, SignalKind, Signals, Snapshot

ReuseMode = Literal["never", "unchanged", "any_change", "signals"]
MODES: tuple[str, ...] = get_args(ReuseMode)
MAX_SHARE = 0.25
MAX_CONTEXT = 12
MAX_OVERLAY = 60
SHORT_PAGE = 3_000
UNASKED = 1_500
UNASKED_SHARE = 0.1
Failure = tuple[str, str]


class Look(StrEnum):
    """How a step's selection comes about."""

    FRESH = "fresh"
    INCREMENTAL = "incremental"
    CARRIED = "carried"


@dataclass(frozen=True)
class Memory:
    """The last step: what was asked, what was chosen; `under_overlay` if a dialog took part in that choice, `told`
    are the failures on this page that the retriever knows of, `unasked` as in its Decision."""

    query: Query
    selection: Selection
    under_overlay: bool
    told: frozenset[Failure] = frozenset()
    unasked: int = 0


@dataclass(frozen=True)
class Decision:
    """Lines of the current tree: `carried` from the last selection, `within` to ask about (none: all, on a fresh look),
    `shown` without asking; `unasked` counts the characters of news that were so shown since a retriever was last asked.
    """

    look: Look
    why: str
    carried: LineRanges = LineRanges()
    within: LineRanges = LineRanges()
    shown: LineRanges = LineRanges()
    signals: Signals | None = None
    unasked: int = 0


def decide(
    memory: Memory | None,
    query: Query,
    mode: ReuseMode = "signals",
    kinds: frozenset[SignalKind] = ALL_KINDS,
    strict: bool = False,
) -> Decision:
    """Compare with the last step. `never` always looks afresh; `unchanged` carries over identical pages; `any_change`
    those that differ in volatile text only; `signals` asks about the changed subtrees where few lines changed.

    After an action that failed every mode looks afresh, so that the retriever learns of the error. A line that changed
    in place and is kept already is shown as it now is, without asking; `strict` asks, as on every short page and
    where a control became enabled."""
    if mode not in MODES:
        raise ValueError(f"reuse must be one of {', '.join(MODES)}, not {mode!r}")
    if mode == "never" or memory is None or memory.query.goal != query.goal or memory.selection.fallback:
        return _afresh(query, "nothing to carry over", strict=strict or mode != "signals")
    if mode == "unchanged":
        return _identical(memory, query)
    found = detect_signals(
        Snapshot(memory.query.tree),
        Snapshot(query.tree, error=query.last_action_error),
        query.last_action,
        kinds=kinds,
    )
    return _any_change(memory, found) if mode == "any_change" else _by_signals(memory, query, found, strict)


def _identical(memory: Memory, query: Query) -> Decision:
    if query.last_action_error or query.tree.text != memory.query.tree.text:
        return Decision(Look.FRESH, "the page differs" if not query.last_action_error else "the action failed")
    return Decision(Look.CARRIED, "the page is identical", memory.selection.ranges)


def _any_change(memory: Memory, found: Signals) -> Decision:
    if found.fired or found.changed or found.gone or found.echo:
        return Decision(Look.FRESH, _reasons(found) or "something changed", signals=found)
    return Decision(Look.CARRIED, "nothing changed", found.diff.carried(memory.selection.ranges), signals=found)


def _by_signals(memory: Memory, query: Query, found: Signals, strict: bool) -> Decision:
    tree, why = query.tree, _reasons(found)
    carried = found.diff.carried(memory.selection.ranges)
    shown = _shown(query, found)
    if reason := _reason_to_start_anew(memory, query, found):
        return _afresh(query, reason, shown, found, strict)
    asks = strict or len(tree.text) < SHORT_PAGE or _was_enabled(memory.query.tree, tree, found)
    kept = LineRanges() if asks else carried.intersection(found.altered)
    within = _within(tree, found, kept)
    unasked = memory.unasked + _length(tree, within.difference(carried))
    if not within or (unasked <= max(UNASKED, UNASKED_SHARE * len(tree.text)) and not asks):
        why = f"{why}: few lines, shown as they are" if within else f"{why}: shown already" if why else "no signal"
        return Decision(Look.CARRIED, why, carried, shown=shown.union(within), signals=found, unasked=unasked)
    if _length(tree, within) > MAX_SHARE * len(tree.text):
        return _afresh(query, f"{why}: too much changed", shown, found, strict)
    return Decision(Look.INCREMENTAL, why, carried, within, shown, found)


def _was_enabled(before: AxTree, after: AxTree, found: Signals) -> bool:
    """Whether a control came into reach that the action did not touch: another action is possible now, which the
    retriever has to know."""
    return any(
        "disabled" not in properties(after.line(number))
        and "disabled" in _properties_of(before, after.line(number).bid)
        for number in found.altered.difference(found.echo)
    )


def _properties_of(tree: AxTree, bid: str) -> dict[str, str]:
    return properties(tree.line(tree.by_bid[bid])) if bid in tree.by_bid else {}


def _afresh(
    query: Query, why: str, shown: LineRanges = LineRanges(), found: Signals | None = None, strict: bool = False
) -> Decision:
    """Ask about the whole page, but not about small dialogs over it, which are shown as they are: they compete with no
    line of the page, and what was chosen below them serves when they close."""
    tree = query.tree
    over = LineRanges() if strict else LineRanges.of(tree.subtree(number) for number in _overlays(tree))
    if over.count > MAX_OVERLAY or _length(tree, over) > MAX_SHARE * len(tree.text):
        over = LineRanges()
    within = over.complement(len(tree)) if over else LineRanges()
    return Decision(Look.FRESH, why, within=within, shown=shown.union(over), signals=found)


def _reason_to_start_anew(memory: Memory, query: Query, found: Signals) -> str:
    """Why the last selection is of no use, "" where it is of use. A failure whose cause shows, an overlay that came up
    just now, or one that was looked into already, is no reason."""
    unexplained = has_failed(found) and not any(number in found.new for number in _overlays(query.tree))
    if found.has(SignalKind.URL_TRANSITION) or (unexplained and _failure(query) not in memory.told):
        return _reasons(found)
    if memory.under_overlay and not _overlays(query.tree):
        return "what lay over the page is gone"
    return ""


def _failure(query: Query) -> Failure:
    return (query.last_action, shorten_error(query.last_action_error))


def told_of(memory: Memory | None, query: Query, decision: Decision) -> frozenset[Failure]:
    """The failures on this page that the retriever knows of after this step."""
    found = decision.signals
    if memory is None or found is None:
        return frozenset()
    known = frozenset[Failure]() if found.has(SignalKind.URL_TRANSITION) else memory.told
    return known | {_failure(query)} if has_failed(found) and decision.look is not Look.CARRIED else known


def _shown(query: Query, found: Signals) -> LineRanges:
    """What no retriever decides on: what was acted on, with its neighbours if that failed, what has the focus, what the
    action changed, and new elements that lie over the page."""
    tree, acted = query.tree, tuple(bid for act in calls(query.last_action) for bid in act.bids)
    at_hand = LineRanges.of_numbers(tree.by_bid[bid] for bid in (*acted, query.focused_bid) if bid in tree.by_bid)
    failed = has_failed(found)
    around = neighbourhood(tree, acted) if failed else LineRanges()
    return at_hand.union(around, found.echo, _must_show(tree, found))


def has_failed(found: Signals) -> bool:
    """Whether the action ended otherwise than it was meant."""
    return found.has(SignalKind.ACTION_FAILURE) or found.has(SignalKind.POSTCONDITION)


def is_under_overlay(memory: Memory | None, query: Query, decision: Decision) -> bool:
    """Whether the selection that now holds was made with a dialog open and asked about, so that it may leave out the
    page below."""
    if memory is None or decision.look is Look.FRESH:
        return bool(_overlays(query.tree)) and not decision.within
    return memory.under_overlay


def _overlays(tree: AxTree) -> list[int]:
    return [line.number for line in tree.lines if line.role in ("dialog", "alertdialog")]


def _must_show(tree: AxTree, found: Signals) -> LineRanges:
    """New dialogs, menus, alerts and list boxes with what can be acted on inside: never left to the retriever."""
    new = _named(found, SignalKind.NEW_ELEMENT).intersection(found.new)
    numbers = [number for number in new if tree.line(number).role in FIRST_ROLES]
    inside = [
        line.number
        for number in numbers
        for line in tree.lines[number : tree.subtree(number)[1]][:MAX_OVERLAY]
        if line.role in INTERACTIVE_ROLES
    ]
    return LineRanges.of_numbers(numbers + inside)


def _within(tree: AxTree, found: Signals, kept: LineRanges) -> LineRanges:
    """The lines that fired and are not `kept`, in their smallest surroundings: what a retriever needs to judge them."""
    fired = _named(found, SignalKind.NEW_ELEMENT, SignalKind.EXOGENOUS_EVENT)
    lines = fired.intersection(found.changed).difference(kept)
    around = LineRanges.of(_surroundings(tree, number) for number in lines).union(lines)
    failed = _named(found, SignalKind.ACTION_FAILURE)
    return around.union(failed) if around else around


def _named(found: Signals, *kinds: SignalKind) -> LineRanges:
    return LineRanges().union(*(signal.lines for signal in found.fired if signal.kind in kinds))


def _surroundings(tree: AxTree, number: int) -> tuple[int, int]:
    span = (number, number)
    for above in (number, *tree.ancestors(number)):
        wider = tree.subtree(above)
        if wider[1] - wider[0] >= MAX_CONTEXT:
            break
        span = wider
    return span


def _length(tree: AxTree, ranges: LineRanges) -> int:
    return sum(len(tree.line(number).text) + 1 for number in ranges)


def _reasons(found: Signals) -> str:
    return "; ".join(f"{signal.kind}: {signal.detail}" for signal in found.fired)
