"""The defence's own sentence about a dialog that covers the page.

It is the trusted voice, so it never leads to an element that does more than close: a page chooses its labels, and a
submit button may call itself "Close my account"."""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterable
from functools import cache
from importlib.resources import files
from typing import Any

from focusagent.axtree.line import AxLine
from focusagent.axtree.tree import AxTree

DIALOGS = frozenset(("dialog", "alertdialog"))
# What a form is made of, and the form itself: where one of them stands in a dialog, no button of it is offered.
FORM = frozenset(
    "form textbox searchbox combobox listbox checkbox radio switch slider spinbutton menuitemcheckbox menuitemradio"
    " ColorWell Date DateTime InputTime".split()
)
BID = re.compile(r"[A-Za-z]{0,12}\d{0,9}|f\d{1,6}e\d{1,9}|\d{1,9}_\d{1,9}")
_EDGES = re.compile(r"^[\s\"'([{<>]+|[\s\"')\]}<>.!…]+$")
_LONGEST = 40


@cache
def vetted() -> dict[str, Any]:
    """The vetted words: roles, whole labels, properties and their values."""
    data: dict[str, Any] = json.loads(files(__package__).joinpath("vetted.json").read_text("utf-8"))
    return data


def whole_label(tree: AxTree, number: int, *kinds: str) -> str:
    """The vetted label that is all the line says, "" where it says anything else.

    What stands inside a control is part of its label: a button named "Close" that shows "Delete all" is no "Close"."""
    line, (first, last) = tree.line(number), tree.subtree(number)
    label = _vetted_label(line.name, kinds)
    inside = (tree.line(inner) for inner in range(first + 1, last + 1))
    return label if all(not one.name or _vetted_label(one.name, kinds) for one in inside) else ""


def _vetted_label(name: str, kinds: Iterable[str]) -> str:
    """The name as the list has it: same words, our spelling."""
    if len(name) > _LONGEST:
        return ""
    said = " ".join(_EDGES.sub("", name).casefold().split())
    return next((label for kind in kinds for label in vetted()[kind] if label.casefold() == said), "")


def dialog_note(tree: AxTree, lines: Iterable[int], in_forms: Container[str] = frozenset()) -> str:
    """Names the first attacked dialog and a way out that cannot do anything else: a button that says nothing but a word
    of dismissal in a dialog without a form, else the Escape key. "" where no dialog is attacked.

    `in_forms` are the bids of what stands in an HTML form, which the tree does not tell."""
    for number in lines:
        line = tree.line(number)
        if line.role in DIALOGS:
            if not line.bid or not BID.fullmatch(line.bid):
                return f"Note: {line.role} covers the page and its text is withheld."
            way = _closer(tree, number, in_forms) or f"press('{line.bid}', 'Escape')"
            return f"Note: {line.role} [{line.bid}] covers the page and its text is withheld. To dismiss it, {way}."
    return ""


def _closer(tree: AxTree, number: int, in_forms: Container[str]) -> str:
    first, last = tree.subtree(number)
    inside = [tree.line(inner) for inner in range(first, last + 1)]
    if any(line.role in FORM or line.bid in in_forms for line in inside):
        return ""
    return next((f"click button [{line.bid}]" for line in inside if _only_closes(tree, line)), "")


def _only_closes(tree: AxTree, line: AxLine) -> bool:
    if line.role != "button" or not line.bid or not BID.fullmatch(line.bid):
        return False
    return bool(whole_label(tree, line.number, "dismissals"))
