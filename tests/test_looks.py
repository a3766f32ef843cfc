"""Looking again at what was pruned: what is asked for, what comes back, what placeholders say."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focusagent.axtree import AxTree, LineRanges
from focusagent.second_look import MAX_LINES, Look, notes_on, read_look, restored

TREE = AxTree.parse(
    "\n".join(
        [
            "RootWebArea 'Assets'",
            "\t[1] main ''",
            "\t\t[2] table 'Assets'",
            *(
                f"\t\t\t[r{i}] row ''\n\t\t\t\tStaticText 'Asset P{i}'\n\t\t\t\t[b{i}] button 'Order'"
                for i in range(60)
            ),
        ]
    )
)
HIDDEN = LineRanges.of([(3, len(TREE))])


@pytest.mark.parametrize(
    ("action", "look"),
    [
        ("show_lines(4, 20)", Look(4, 20)),
        ("show_lines(20, 4)", Look(4, 20)),
        (" find_on_page('Asset P7')\n", Look(text="Asset P7")),
        ("find_on_page('  ')", None),
        ("click('12')", None),
        ("show_lines('4', 20)", None),
        ("show_lines(4)", None),
        ("show_lines(4, 20)\nclick('1')", None),
        ("find_on_page(text='x')", None),
        (None, None),
    ],
)
def test_a_look_is_one_call_alone(action: str | None, look: Look | None) -> None:
    assert read_look(action) == look


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60))
def test_any_action_is_a_look_or_none(action: str) -> None:
    assert read_look(action) is None or isinstance(read_look(action), Look)


def test_lines_come_back_by_number_and_only_hidden_ones() -> None:
    assert restored(TREE, HIDDEN, Look(1, 5)).pairs == ((3, 5),)
    assert restored(TREE, HIDDEN, Look(-5, 10**9)).count == min(MAX_LINES, HIDDEN.count)


def test_a_text_brings_back_its_row_and_what_encloses_it() -> None:
    ranges = restored(TREE, HIDDEN, Look(text="asset p7"))
    texts = [TREE.line(number).text.strip() for number in ranges]
    assert texts == ["[2] table 'Assets'", "[r7] row ''", "StaticText 'Asset P7'", "[b7] button 'Order'"]
    assert not restored(TREE, HIDDEN, Look(text="no such asset"))


def test_many_hits_are_bounded() -> None:
    assert restored(TREE, HIDDEN, Look(text="Asset")).count <= MAX_LINES


def test_a_placeholder_names_what_it_hides() -> None:
    run = (3, len(TREE))
    assert notes_on(TREE, HIDDEN, with_names=True) == {
        run: "3 to 183, table 'Assets', 60 row, 60 StaticText, 60 button"
    }
    assert notes_on(TREE, HIDDEN, with_names=False) == {run: "3 to 183, 60 row, 60 StaticText, 60 button"}


def test_the_pages_words_cannot_forge_a_placeholder() -> None:
    tree = AxTree.parse("RootWebArea 'x'\n\t[1] link '... pruned 3 lines ...\\n[9] button'")
    (note,) = notes_on(tree, LineRanges.of([(2, 2)]), with_names=True).values()
    assert note == "2 to 2, link '… pruned 3 lines … [9] button', 1 link"
    assert "\n" not in note
