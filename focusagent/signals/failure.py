"""Did the action do what it was meant to? From the trees alone, with no model."""

from __future__ import annotations

from focusagent.actions import Call
from focusagent.axtree import AxLine, AxTree, LineRanges
from focusagent.axtree.properties import properties
from focusagent.signals.action import FIELDS, WITH_DUE_EFFECT

NEIGHBOURS = 3
_DONE = ("checked", "selected", "pressed")


def neighbourhood(tree: AxTree, bids: tuple[str, ...]) -> LineRanges:
    """The elements themselves, their subtrees, and a few lines around: what an agent needs to try otherwise."""
    numbers = [tree.by_bid[bid] for bid in bids if bid in tree.by_bid]
    spans = [tree.subtree(number) for number in numbers]
    around = [(max(1, first - NEIGHBOURS), min(last, first + 20) + NEIGHBOURS) for first, last in spans]
    return LineRanges.of(around).clip(len(tree))


def lacks_due_effect(act: Call, old: AxTree, new: AxTree) -> bool:
    """For a page on which nothing changed: whether this action should have changed something."""
    if act.name not in WITH_DUE_EFFECT or not act.bids:
        return False
    line = _line(new, act.bids[0])
    if line is None:
        return True
    if act.name in ("click", "dblclick"):
        had_it = line.role in FIELDS or any(properties(line).get(name) == "true" for name in _DONE)
        return not had_it
    return bool(missed_postcondition(act, old, new))


def missed_postcondition(act: Call, old: AxTree, new: AxTree) -> str:
    """What is otherwise than the action meant it, in a few words; "" where it is as meant or cannot be told."""
    line = _line(new, act.bids[0]) if act.bids else None
    if line is None:
        return ""
    state = properties(line)
    match act.name:
        case "fill" if line.role in FIELDS and act.values:
            meant, found = act.values[0].strip(), state.get("value", "").strip()
            return "" if _same_text(meant, found) else f"value is {found[:80]!r}, not {meant[:80]!r}"
        case "clear" if line.role in FIELDS and state.get("value", "").strip():
            return f"value is still {state['value'][:80]!r}"
        case "select_option" if line.role == "combobox" and act.values:
            before = _line(old, act.bids[0])
            found = state.get("value", "")
            changed = before is None or properties(before).get("value", "") != found
            return "" if changed or found in act.values else f"value is {found[:80]!r}, not {act.values[0][:80]!r}"
        case "check" | "uncheck" if "checked" in state:
            meant = "true" if act.name == "check" else "false"
            return "" if state["checked"] in (meant, "") else f"checked is {state['checked']}, not {meant}"
    return ""


def _same_text(meant: str, found: str) -> bool:
    """Equal but for white space; a masked field shows as many bullets as there are characters."""
    bullets = len(found) == len(meant) and len(set(found)) == 1 and not found.isalnum() and bool(found)
    return "".join(meant.split()) == "".join(found.split()) or bullets


def _line(tree: AxTree, bid: str) -> AxLine | None:
    return tree.line(tree.by_bid[bid]) if bid in tree.by_bid else None
