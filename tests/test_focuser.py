"""The road of one observation, with retrievers that answer what the test needs."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focusagent import focus
from focusagent.axtree import AxTree, LineRanges
from focusagent.focuser import Focuser
from focusagent.models.tokens import count_tokens
from focusagent.retrieval import Fallback, Query, Selection, Skip, make_retriever

PAGE = "\n".join(
    [
        "RootWebArea 'Assets', focused",
        "\tInlineTextBox 'Assets'",
        "\t[50] table 'Assets'",
        "\t\t[51] row ''",
        "\t\t\t[52] cell 'P1000'",
        "\t\t\t[53] button 'Order', describedby='tip-1'",
        "\t\t[54] row ''",
        "\t\t\t[55] cell 'P1001'",
        "\t\t\t[56] button 'Order', describedby='tip-2'",
    ]
)
PLACEHOLDER = re.compile(r"^\t*\.\.\. pruned (\d+) lines? \.\.\.$")


@dataclass
class Answers:
    """A retriever that gives one Selection and keeps the query."""

    selection: Selection
    query: Query | None = None

    def select(self, query: Query) -> Selection:
        self.query = query
        return self.selection


class Broken:
    def select(self, query: Query) -> Selection:
        raise RuntimeError("the model is away")


def chosen(*numbers: int) -> Answers:
    return Answers(Selection(LineRanges.of_numbers(numbers)))


def test_ranges_count_lines_as_received_and_text_is_the_simplified_one() -> None:
    retriever = chosen(1, 7, 8)  # of the simplified tree, which lost line 2
    focused = Focuser(retriever, skip_below=0).focus(PAGE, "order P1001")
    assert retriever.query is not None
    assert "InlineTextBox" not in retriever.query.tree.text
    assert focused.ranges == LineRanges.of_numbers([1, 8, 9])
    assert focused.text.split("\n")[-1] == "\t\t\t[56] button 'Order'"
    assert focused.tokens_full == count_tokens(PAGE)
    assert focused.tokens_pruned == count_tokens(focused.text) < focused.tokens_full


def test_a_line_that_only_simplification_dropped_counts_in_an_enclosing_run() -> None:
    kept_before_and_after = Focuser(chosen(1, *range(2, 9)), skip_below=0).focus(PAGE, "x")
    assert "pruned" not in kept_before_and_after.text
    page = PAGE.replace("\t[50] table", "\t[48] link 'Help'\n\tInlineTextBox 'Help'\n\t[50] table")
    enclosed = Focuser(chosen(1, 5), skip_below=0).focus(page, "x")
    assert enclosed.text.split("\n")[1] == "\t... pruned 4 lines ..."  # from the link (3) to the row (6)


@pytest.mark.parametrize("simplify", [True, False])
def test_a_retriever_that_raises_leaves_the_page_as_received(simplify: bool) -> None:
    focused = Focuser(Broken(), simplify=simplify, skip_below=0).focus(PAGE, "x")
    assert focused.text == PAGE
    assert focused.selection.fallback is Fallback.ERROR
    assert "the model is away" in focused.selection.reasoning
    assert focused.pruning == 0


def test_an_empty_choice_never_shows_a_placeholder_alone() -> None:
    focused = Focuser(chosen(), skip_below=0).focus(PAGE, "x")
    assert focused.text == PAGE
    assert focused.selection.fallback is Fallback.NOTHING_VALID


def test_lines_that_nobody_read_are_shown_whole() -> None:
    partial = Selection(LineRanges.of([(1, 1)]), fallback=Fallback.CALL_CAP, unread=LineRanges.of([(8, 9)]))
    focused = Focuser(Answers(partial), simplify=False, skip_below=0).focus(PAGE, "x")
    assert focused.ranges == LineRanges.of_numbers([1, 8, 9])


def test_small_and_empty_pages_cost_no_call() -> None:
    retriever = chosen(1)
    assert Focuser(retriever, skip_below=500).focus(PAGE, "x").selection.skipped is Skip.SMALL_PAGE
    assert Focuser(retriever, skip_below=500).focus("RootWebArea ''", "x").selection.skipped is Skip.EMPTY_PAGE
    assert Focuser(retriever, skip_below=500).focus("", "x").text == ""
    assert retriever.query is None


def test_keeping_everything_is_no_reduction() -> None:
    tree = "RootWebArea 'x'\n" + "\n".join(f"\t[{i}] gridcell 'P{i}'" for i in range(5_000))
    focused = Focuser(Answers(Selection(LineRanges.of([(1, 99_999)]))), simplify=False).focus(tree, "x")
    assert focused.tokens_pruned == focused.tokens_full
    assert not focused.removed


@given(st.lists(st.sampled_from(PAGE.split("\n")), min_size=1, max_size=30), st.sets(st.integers(1, 30), min_size=1))
def test_placeholders_kept_lines_and_silent_drops_account_for_every_line(lines: list[str], numbers: set[int]) -> None:
    text = "\n".join(lines)
    focused = Focuser(chosen(*numbers), skip_below=0).focus(text, "x")
    counted = sum(int(found[1]) for line in focused.text.split("\n") if (found := PLACEHOLDER.match(line)))
    if focused.selection.fallback is None:
        assert counted == focused.removed.count
        assert focused.ranges.count + sum(not PLACEHOLDER.match(line) for line in focused.text.split("\n")) == 2 * (
            focused.ranges.count
        )
    assert focused.ranges.intersection(focused.removed).count == 0
    assert focused.ranges.count + focused.removed.count <= len(AxTree.parse(text))


def test_focus_is_one_call_with_any_retriever() -> None:
    focused = focus(PAGE, "order P1001", retriever="bids")
    assert focused.tokens_pruned <= focused.tokens_full
    assert focus(PAGE, "x", retriever=chosen(1)).ranges == LineRanges.of([(1, 1)])
    assert focus(PAGE, "x", retriever="focusagent.retrieval.controls.Roles").ranges.count == 2


class OddlyWrong:
    """Returns what no retriever should."""

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def select(self, query: Query) -> Selection:
        return self.answer  # type: ignore[return-value]


@pytest.mark.parametrize("answer", [None, [(1, 2)], Selection([(1, 2)])])  # type: ignore[arg-type]
def test_what_is_no_selection_is_a_fallback(answer: object) -> None:
    assert Focuser(OddlyWrong(answer), skip_below=0).focus(PAGE, "x").selection.fallback is Fallback.ERROR


def test_reasons_for_lines_that_are_not_there_are_dropped() -> None:
    odd = Selection(LineRanges.of([(1, 2)]), why={99: "x", 1: "root"})
    assert Focuser(OddlyWrong(odd), skip_below=0).focus(PAGE, "x").selection.why == {1: "root"}


def test_simplification_hangs_no_line_under_another_parent() -> None:
    page = (
        "RootWebArea 'r'\n\t[1] LayoutTable ''\n\t\t[2] LayoutTableRow 'Alice'\n\t\t[4] LayoutTableRow ''"
        "\n\t\t\t[5] LayoutTableCell 'Bob'\n\t\t\t[6] button 'Delete'"
    )
    tree = AxTree.parse(focus(page, "delete", retriever="all").text)
    above = [tree.line(number).name for number in tree.ancestors(tree.by_bid["6"])]
    assert "Alice" not in above


@pytest.mark.parametrize("name", ["all", "first-5k", "bids", "roles"])
def test_controls_choose_within_the_lines_given(name: str) -> None:
    query = Query("x", AxTree.parse(PAGE), within=LineRanges.of([(5, 6)]))
    chosen_lines = make_retriever(name).select(query).ranges
    assert chosen_lines
    assert chosen_lines.intersection(LineRanges.of([(5, 6)])) == chosen_lines


def test_a_role_that_is_none_says_nothing_when_the_retriever_fails() -> None:
    focused = focus(
        "RootWebArea 'r'\n\t[2] secretword 'x'\n\t[3] button 'Pay'", "pay", retriever=Broken(), defense=True
    )
    assert "secretword" not in focused.text
    assert "\t[3] button" in focused.text.split("\n")


def test_a_marked_page_that_is_no_shorter_is_shown_as_received() -> None:
    """The mark that stands for a line can be longer than the line, as the authors of those formats know."""
    short = "RootWebArea ''\n" + "\n".join(f"\t[{i}] img ''" for i in range(9))
    long = "RootWebArea ''\n" + "\n".join(f"\t[{i}] img 'a picture of a house by the sea number {i}'" for i in range(9))
    for text, kept in ((short, 10), (long, 1)):
        focused = Focuser(chosen(1), simplify=False, skip_below=0, keep="bid-marked").focus(text, "g")
        assert (focused.ranges.count, focused.text == text) == (kept, text == short)
        assert focused.tokens_pruned <= focused.tokens_full
        assert focused.selection.fallback is None
