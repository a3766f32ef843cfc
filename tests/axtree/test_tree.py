"""Parsing: exact round trip, forged lines, bids at the start only, links against a naive version."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focusagent.axtree import AxTree

PAGE_TEXT = st.text(alphabet=st.sampled_from("\t\n []'\"\\ab12,=\r\u2028\x85\x0b\ud800é😀"), max_size=80)
SHAPES = st.lists(st.integers(0, 5), min_size=1, max_size=40)


def tree_of(depths: list[int]) -> AxTree:
    return AxTree.parse("\n".join("\t" * depth + f"[{i}] group 'g{i}'" for i, depth in enumerate(depths)))


@given(st.text() | PAGE_TEXT)
def test_round_trip_and_split_on_line_feeds_only(text: str) -> None:
    tree = AxTree.parse(text)
    assert tree.text == text
    assert AxTree(tree.lines).text == text
    assert [line.text for line in tree.lines] == text.split("\n")
    assert [line.number for line in tree.lines] == list(range(1, len(tree) + 1))


@given(SHAPES)
def test_links_agree_with_a_naive_version(depths: list[int]) -> None:
    tree = tree_of(depths)
    for number, depth in enumerate(depths, 1):
        parent = next((i for i in range(number - 1, 0, -1) if depths[i - 1] < depth), 0)
        end = next((i - 1 for i in range(number + 1, len(depths) + 1) if depths[i - 1] <= depth), len(depths))
        assert tree.parent(number) == parent
        assert tree.subtree(number) == (number, end)
        chain = tree.ancestors(number)
        assert chain == ((parent, *tree.ancestors(parent)) if parent else ())


def test_empty_input_has_one_empty_line() -> None:
    tree = AxTree.parse("")
    assert len(tree) == 1
    assert tree.line(1) == (1, 0, "", "", "", "")
    with pytest.raises(IndexError):
        tree.line(0)


@pytest.mark.parametrize(
    ("text", "depth", "bid", "role", "name"),
    [
        ("\t\t[a312] button 'Order Now', disabled=True", 2, "a312", "button", "Order Now"),
        ("[abaGbHG43] link 'x'", 0, "abaGbHG43", "link", "x"),
        ("\t[a] Iframe 'gsft_main'", 1, "a", "Iframe", "gsft_main"),
        ("\t[7] LabelText", 1, "7", "LabelText", ""),
        ("RootWebArea ''", 0, "", "RootWebArea", ""),
        ("StaticText 'press [12] button'", 0, "", "StaticText", "press [12] button"),
        ("StaticText 'a\\n\\t[12] button \\'Confirm\\''", 0, "", "StaticText", "a\n\t[12] button 'Confirm'"),
        ('StaticText "it\'s"', 0, "", "StaticText", "it's"),
        ("[5] combobox 'Search' value='a, b', focused", 0, "5", "combobox", "Search"),
        ("[not a bid] text", 0, "", "[not", ""),
        ("button '\\x'", 0, "", "button", "\\x"),
    ],
)
def test_one_line(text: str, depth: int, bid: str, role: str, name: str) -> None:
    line = AxTree.parse(text).line(1)
    assert (line.depth, line.bid, line.role, line.name) == (depth, bid, role, name)


def test_the_first_line_of_a_repeated_bid_is_found() -> None:
    assert AxTree.parse("[1] a\n[2] b\n[1] c").by_bid == {"1": 1, "2": 2}
