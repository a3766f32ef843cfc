"""What stays on a page whatever the retriever says."""

from __future__ import annotations

import pytest

from focusagent.axtree import AxTree, LineRanges
from focusagent.focuser import Focuser
from focusagent.retrieval import Query, Selection
from focusagent.retrieval.live import MAX_TEXT_LINES, live_lines, text_below

PAGE = "\n".join(
    [
        "RootWebArea 'Shop', focused",
        "\t[1] heading 'Reviews'",
        "\tStaticText 'Broke after a week.'",
        "\t[2] button 'Helpful'",
        "\tStaticText 'unrelated'",
        "\t[3] dialog 'Cookies', modal=True",
        "\t\tStaticText 'We use cookies'",
        "\t\t[4] button 'Close'",
        "\t[5] textbox 'Search', focused",
        "\t\tStaticText 'ipad'",
        "\t[6] link 'Imprint'",
    ]
)


class Chooses:
    """A retriever that names the first heading only."""

    def select(self, query: Query) -> Selection:
        return Selection(LineRanges.of([(2, 2)]))


def test_dialog_focus_and_last_action_stay() -> None:
    tree = AxTree.parse(PAGE)
    assert live_lines(Query("g", tree)).pairs == ((1, 1), (6, 10))
    assert 4 in live_lines(Query("g", tree, last_action="I click: click('2')"))
    assert 11 in live_lines(Query("g", tree, focused_bid="6"))


@pytest.mark.parametrize(("live", "shown"), [(True, True), (False, False)])
def test_a_model_that_forgets_the_dialog_does_not_hide_it(live: bool, shown: bool) -> None:
    text = Focuser(Chooses(), skip_below=0, keep_live=live).focus(PAGE, "read the review").text
    assert ("button 'Close'" in text) == ("textbox 'Search'" in text) == shown


def test_of_a_long_dialog_the_controls_stay() -> None:
    lines = ["RootWebArea 'x'", "\t[1] dialog 'Terms'", *(f"\t\tStaticText 'clause {n}'" for n in range(200))]
    tree = AxTree.parse("\n".join([*lines, "\t\t[2] button 'Accept'"]))
    assert live_lines(Query("g", tree)).pairs == ((1, 2), (203, 203))


def test_text_under_a_chosen_heading_stays_within_bounds() -> None:
    tree = AxTree.parse(PAGE)
    assert text_below(tree, LineRanges.of([(2, 2)])).pairs == ((3, 3),)
    assert text_below(tree, LineRanges.of([(4, 4)])) == LineRanges()
    many = AxTree.parse("\n".join(["RootWebArea 'x'", "\t[1] heading 'h'", *["\tStaticText 'word'"] * 50]))
    assert text_below(many, LineRanges.of([(2, 2)])).count == MAX_TEXT_LINES
    assert "Broke after" in Focuser(Chooses(), skip_below=0, keep_text=True).focus(PAGE, "g").text
    assert "Broke after" not in Focuser(Chooses(), skip_below=0).focus(PAGE, "g").text


def test_what_was_flagged_is_not_brought_back() -> None:
    class Flags:
        def select(self, query: Query) -> Selection:
            return Selection(LineRanges.of([(2, 2)]), flagged=LineRanges.of([(6, 8)]))

    assert "Close" not in Focuser(Flags(), skip_below=0, keep_live=True).focus(PAGE, "g").text
