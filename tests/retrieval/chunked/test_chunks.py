"""Chunks: the papers' windows against a naive version, and whole lines cut at the borders of subtrees."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focusagent.axtree import AxTree, LineRanges
from focusagent.models.tokens import count_tokens, encoding
from focusagent.retrieval.chunked.chunks import overlap_of, subtree_chunks, token_windows

PAGES = st.lists(
    st.tuples(st.integers(0, 3), st.text(st.sampled_from("ab é日本😀'\\"), max_size=25)), min_size=1, max_size=25
).map(lambda lines: "\n".join("\t" * depth + f"[{i}] link {name!r}" for i, (depth, name) in enumerate(lines)))


@given(PAGES, st.integers(11, 60))
def test_windows_are_those_of_the_paper(text: str, size: int) -> None:
    tokens = encoding().encode(text, disallowed_special=())
    pieces = encoding().decode_tokens_bytes(tokens)
    line_of_byte = [number for number, line in enumerate(text.split("\n"), 1) for _ in line.encode() + b"\n"]
    ends = {number: place for place, number in enumerate(line_of_byte)}
    starts = {number: place for place, number in reversed(list(enumerate(line_of_byte)))}
    expected = []
    for first in range(0, len(tokens), size - overlap_of(size)):
        before, inside = b"".join(pieces[:first]), b"".join(pieces[first : first + size])
        touched = line_of_byte[len(before) : len(before) + len(inside)]
        begin, end = len(before), len(before) + len(inside)
        whole = [number for number in ends if begin <= starts[number] and ends[number] <= end]  # but for its line feed
        expected.append(
            (inside.decode("utf-8", "ignore"), LineRanges.of_numbers(touched), LineRanges.of_numbers(whole))
        )
        if first + size >= len(tokens):
            break
    windows = token_windows(AxTree.parse(text), size)
    assert [(window.text, window.lines, window.whole) for window in windows] == expected
    assert LineRanges().union(*(window.lines for window in windows)) == LineRanges.all(text.count("\n") + 1)


def test_an_empty_page_is_one_window() -> None:
    assert [chunk.lines.pairs for chunk in token_windows(AxTree.parse(""), 200)] == [((1, 1),)]
    assert [chunk.lines.pairs for chunk in subtree_chunks(AxTree.parse(""), 200)] == [((1, 1),)]


def test_a_window_must_exceed_the_overlap() -> None:
    with pytest.raises(ValueError, match="larger than the overlap"):
        token_windows(AxTree.parse("a"), 5)


def test_the_overlap_is_five_tokens_at_the_smallest_size() -> None:
    assert [overlap_of(size) for size in (50, 100, 200, 400, 500)] == [5, 10, 10, 10, 10]


@given(PAGES, st.integers(5, 80))
def test_subtree_chunks_hold_each_line_once_within_the_size(text: str, size: int) -> None:
    tree = AxTree.parse(text)
    chunks = subtree_chunks(tree, size)
    assert [number for chunk in chunks for number in chunk.lines] == list(range(1, len(tree) + 1))
    assert "\n".join(chunk.text for chunk in chunks) == text
    for chunk in chunks:
        assert chunk.lines.count == 1 or sum(count_tokens(tree.line(n).text + "\n") for n in chunk.lines) <= size


def test_a_subtree_that_fits_a_chunk_of_its_own_is_not_cut() -> None:
    rows = [
        f"\t[{i}] row 'r'\n\t\t[{i}1] cell 'number of the item'\n\t\t[{i}2] button 'Add to the cart'" for i in range(9)
    ]
    tree = AxTree.parse("table 't'\n" + "\n".join(rows))
    size = 2 * sum(count_tokens(line + "\n") for line in rows[0].split("\n")) + 12
    borders = {chunk.lines.pairs[0][0] for chunk in subtree_chunks(tree, size)}
    assert borders - {1} <= {line.number for line in tree.lines if line.role == "row"}
    assert len(borders) > 3
