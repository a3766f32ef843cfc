"""The trusted voice: what the defence itself says of a dialog leads to no element that does more than close."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focusagent.axtree import AxTree, LineRanges
from focusagent.security.dialogs import dialog_note, vetted, whole_label
from focusagent.security.sanitise import sanitise

DISMISSALS = vetted()["dismissals"]
WHOLE = {label.casefold() for kind in ("dismissals", "words") for label in vetted()[kind]}
DESTRUCTIVE = st.sampled_from(
    [
        "my account and delete all orders",
        "order",
        "confirmation and pay",
        "account",
        "& delete",
        "- pay now",
        "all",
        "1",
    ]
)
AROUND = st.sampled_from(["", " ", "  ", ", ", " and ", ": ", "\u200b", "\u00a0", ". "])


@given(st.sampled_from(DISMISSALS), AROUND, DESTRUCTIVE, st.booleans())
def test_no_button_is_called_by_another_name(word: str, between: str, more: str, first: bool) -> None:
    label = f"{word}{between}{more}" if first else f"{more}{between}{word}"
    tree = AxTree.parse(f"[4] dialog 'x'\n\t[5] button {label!r}\n\t[6] link {label!r}")
    clean = sanitise(tree, LineRanges.all(3))
    assert "[5]" not in clean.note
    for number in (2, 3):
        assert re.fullmatch(r"\t\[\d\] \w+ '\(1 of 1, text withheld\)'", clean.texts[number])


@given(st.one_of(st.text(max_size=30), st.sampled_from(DISMISSALS).map(str.upper)))
def test_what_is_shown_of_a_label_is_all_that_it_says(label: str) -> None:
    shown = whole_label(AxTree.parse(f"[5] button {label!r}"), 1, "dismissals", "words")
    assert not shown or shown.casefold() in WHOLE
    assert not shown or shown.casefold() in " ".join(label.casefold().split())


@pytest.mark.parametrize("label", DISMISSALS)
def test_a_button_that_only_says_close_is_the_way_out(label: str) -> None:
    tree = AxTree.parse(f"[4] dialog ''\n\t[5] button 'Go'\n\t[6] button {label!r}\n\t\tStaticText '×'")
    assert dialog_note(tree, [2, 1]).endswith("To dismiss it, click button [6].")
    assert dialog_note(tree, [2]) == dialog_note(tree, []) == ""


ESCAPE = "To dismiss it, press('4', 'Escape')."


@pytest.mark.parametrize(
    "inside",
    [
        "[6] button 'Go'",
        "[6] button 'Close my account and delete all orders'",
        "[6] button 'Close'\n\t\tStaticText 'Delete all orders'",
        "[6] link 'Close', url='/delete'",
        "button 'Close'",
        "[6] button 'Close'\n\t[7] textbox 'Your password'",
        "[5] form ''\n\t\t[6] button 'Close'",
        "[6] button 'Close'\n\t[7] checkbox 'Delete my orders', checked='true'",
        "[66] button 'Cancel'",
    ],
)
def test_else_it_is_the_escape_key(inside: str) -> None:
    note = dialog_note(AxTree.parse(f"[4] dialog 'x'\n\t{inside}\n[8] button 'Close'"), [1], {"66"})
    assert note == f"Note: dialog [4] covers the page and its text is withheld. {ESCAPE}"


def test_a_dialog_without_a_bid_is_only_said_to_be_there() -> None:
    tree = AxTree.parse("alertdialog 'x'\n\t[5] button 'Close'")
    assert dialog_note(tree, [1]) == "Note: alertdialog covers the page and its text is withheld."
