"""The diff: exact rebuild for any two texts, alignment by bid and content, and what its text says."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focusagent.axtree import AxTree, LineRanges
from focusagent.axtree.diff import apply, describe, diff

LINE = st.sampled_from(
    [
        "",
        "RootWebArea 'Shop'",
        "\t[12] button 'Buy'",
        "\t[12] button 'Buy', disabled=True",
        "\t\t[13] button 'Buy'",
        "\tStaticText '9.00'",
        "\tStaticText '8.00'",
        "\t\tStaticText '9.00'",
        "[12] link 'Buy'",
        "\t[7] textbox 'Name' value='x', focused",
        "\t[7] textbox 'Name'",
    ]
)
PAGE = st.lists(LINE, min_size=1, max_size=25).map("\n".join)
ANY = st.one_of(PAGE, st.text())


@settings(deadline=None)
@given(ANY, ANY)
def test_the_new_tree_is_rebuilt_exactly(before: str, after: str) -> None:
    old, new = AxTree.parse(before), AxTree.parse(after)
    rebuilt = apply(old, diff(old, new))
    assert rebuilt.text == after
    assert rebuilt.lines == new.lines


@settings(deadline=None)
@given(PAGE, PAGE)
def test_every_line_is_copied_changed_or_named(before: str, after: str) -> None:
    old, new = AxTree.parse(before), AxTree.parse(after)
    change = diff(old, new)
    copied = sum(copy.length for copy in change.copies)
    assert copied + len(change.changed) + len(change.added) == len(new)
    assert copied + len(change.changed) + len(change.removed) == len(old)
    assert bool(change) == (before != after)
    for pair in change.changed:
        assert pair.old.text != pair.new.text


@settings(deadline=None)
@given(PAGE)
def test_one_inserted_line_is_one_added_line(page: str) -> None:
    old = AxTree.parse(page)
    for position in range(len(old) + 1):
        lines = page.split("\n")
        lines.insert(position, "\t[99] dialog 'New'")
        change = diff(old, AxTree.parse("\n".join(lines)))
        assert [line.number for line in change.added] == [position + 1]
        assert not change.removed
        assert not change.changed


@settings(deadline=None)
@given(PAGE, PAGE)
def test_carried_lines_are_the_matched_ones(before: str, after: str) -> None:
    old, new = AxTree.parse(before), AxTree.parse(after)
    change = diff(old, new)
    everything = change.carried(LineRanges.all(len(old)))
    assert everything == LineRanges.of_numbers(line.number for line in change.added).complement(len(new))
    assert change.carried(LineRanges()) == LineRanges()


@settings(deadline=None)
@given(st.permutations(range(12)), st.permutations(range(12)), st.integers(0, 12), st.integers(0, 12))
def test_the_alignment_of_distinct_elements_is_the_longest_possible(
    first: list[int], second: list[int], n_old: int, n_new: int
) -> None:
    ids, kept = first[:n_old], second[:n_new]
    change = diff(page_of(ids), page_of(kept))
    copied = sum(copy.length for copy in change.copies)
    assert copied == longest_common_subsequence(["root", *map(str, ids)], ["root", *map(str, kept)])


def page_of(bids: list[int]) -> AxTree:
    return AxTree.parse("\n".join(["RootWebArea 'x'", *(f"\t[{bid}] link '{bid}'" for bid in bids)]))


def longest_common_subsequence(a: list[str], b: list[str]) -> int:
    """The textbook table."""
    row = [0] * (len(b) + 1)
    for x in a:
        above = row[:]
        for j, y in enumerate(b, 1):
            row[j] = above[j - 1] + 1 if x == y else max(above[j], row[j - 1])
    return row[-1]


def test_an_element_keeps_its_identity_when_lines_move_above_it() -> None:
    old = AxTree.parse("RootWebArea 'x'\n\t[141] textbox 'Code'\n\t[150] button 'Verify', disabled=True")
    new = AxTree.parse("RootWebArea 'x'\n\t[9] alert ''\n\t[141] textbox 'Code'\n\t[150] button 'Verify'")
    change = diff(old, new)
    assert [line.bid for line in change.added] == ["9"]
    assert [(pair.old.number, pair.new.number) for pair in change.changed] == [(3, 4)]
    assert change.touched.pairs == ((2, 2), (4, 4))
    assert change.carried(LineRanges.of([(2, 3)])).pairs == ((3, 4),)


def test_a_page_drawn_anew_is_matched_by_content() -> None:
    old = AxTree.parse("RootWebArea 'x'\n\t[10] row 'A'\n\t\t[11] link 'one'\n\t\t[12] link 'two'")
    new = AxTree.parse("RootWebArea 'x'\n\t[20] row 'A'\n\t\t[21] link 'one'\n\t\t[22] link 'two'")
    change = diff(old, new)
    assert not change.added
    assert not change.removed
    assert [(pair.old.bid, pair.new.bid) for pair in change.changed] == [("10", "20"), ("11", "21"), ("12", "22")]


def test_text_replaced_in_place_is_a_change() -> None:
    old = AxTree.parse("\t[5] cell ''\n\t\tStaticText '$899.00'\n\t\tStaticText 'each'")
    new = AxTree.parse("\t[5] cell ''\n\t\tStaticText '$2,697.00'\n\t\tStaticText 'each'")
    change = diff(old, new)
    assert [(pair.old.name, pair.new.name) for pair in change.changed] == [("$899.00", "$2,697.00")]


def test_description_is_in_page_order_and_bounded() -> None:
    old = AxTree.parse("RootWebArea 'x'\n\t[1] button 'Go', disabled=True\n\t[2] link 'old'")
    new = AxTree.parse("RootWebArea 'x'\n\t[1] button 'Go'\n\t[3] dialog 'Cookies'\n\t\t[4] button 'Accept'")
    text = describe(diff(old, new))
    assert text.split("\n") == [
        "~ [1] button 'Go', disabled=True -> [1] button 'Go'",
        "- [2] link 'old'",
        "+ [3] dialog 'Cookies'",
        "+ [4] button 'Accept'",
    ]
    assert describe(diff(old, new), limit=1).endswith("(3 more changed lines)")
    assert all(len(line) <= 22 for line in describe(diff(old, new), limit=4, width=20).split("\n")[1:])


def test_rebuilding_from_a_shorter_tree_is_an_error() -> None:
    old = AxTree.parse("a\nb\nc")
    with pytest.raises(IndexError):
        apply(AxTree.parse("a"), diff(old, AxTree.parse("a\nb\nc\nd")))
