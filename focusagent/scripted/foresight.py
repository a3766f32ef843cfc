"""Planning ahead with a policy that names one action at a time: what it types and chooses is imagined as done.

Only effects that the action itself explains are imagined (a value, a choice), never what a page would do in return; so
a plan ends with the first action whose outcome must be seen."""

from __future__ import annotations

import re
from collections.abc import Sequence

from focusagent.actions import Call, calls
from focusagent.axtree import AxLine
from focusagent.axtree.line import parse_line
from focusagent.axtree.properties import drop_properties, split_line
from focusagent.scripted.policies import Plan, next_plan

LONGEST = 12
_TICKED = frozenset({"radio", "checkbox", "switch", "menuitemradio", "menuitemcheckbox"})


def foresee(goal: str, lines: Sequence[AxLine], actions: Sequence[str], thoughts: Sequence[str], first: Plan) -> Plan:
    """`first` and what the policy would do after it, as far as that can be known; the note has a line an action."""
    plan, notes, seen = list(first[:1]), [one_line(first.note)], list(lines)
    while len(plan) < LONGEST:
        imagined = after(plan[-1], seen)
        if imagined is None:
            break
        seen = imagined
        following = next_plan(goal, seen, [*actions, *plan], [*thoughts, *notes])
        if following[0] in plan or following[0].startswith("noop"):
            break
        plan.append(following[0])
        notes.append(one_line(following.note))
    return Plan(plan, note="\n".join(notes))


def after(action: str, lines: Sequence[AxLine]) -> list[AxLine] | None:
    """The lines with the action's own effect; None where its outcome cannot be told from the action."""
    call = next(iter(calls(action)), Call(""))
    target = next((line for line in lines if line.bid and line.bid in call.bids[:1]), None)
    change = _effect(call.name, call.values, target) if target else None
    if target is None or change is None:
        return None
    return [_changed(line, target, change) for line in lines]


def _effect(name: str, values: Sequence[str], target: AxLine) -> tuple[str, str] | None:
    if name in ("fill", "select_option") and values:
        return "value", values[0]
    if name == "click" and target.role in _TICKED:
        ticked = re.search(r"checked='?true", target.text)
        return "checked", "false" if ticked and target.role != "radio" else "true"
    return None


def _changed(line: AxLine, target: AxLine, change: tuple[str, str]) -> AxLine:
    name, value = change
    if line is target:
        head, tail = split_line(drop_properties(line.text, frozenset({name})))
        text = f"{head} value={value!r}{tail}" if name == "value" else f"{head}, {name}={value!r}{tail}"
        return parse_line(text, line.number)
    if name == "value" and line.role == "option" and line.name == value:
        return parse_line(line.text.replace("selected=False", "selected=True"), line.number)
    return line


def one_line(text: str) -> str:
    return " ".join(text.split())
