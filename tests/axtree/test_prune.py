"""Pruning keeps exactly the chosen lines in order; the placeholders account for every other one."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focusagent.axtree import KEEPS, AxTree, LineRanges, prune
from focusagent.axtree.prune import Keep

PLACEHOLDER = re.compile(r"\t*\.\.\. pruned (\d+) lines?(?:: .*)? \.\.\.")
DEPTHS = st.lists(st.integers(0, 4), min_size=1, max_size=30)
CHOICE = st.lists(st.tuples(st.integers(-3, 35), st.integers(-3, 35)), max_size=5).map(LineRanges.of)


def tree_of(depths: list[int]) -> AxTree:
    kinds = ("[{i}] button 'b{i}'", "StaticText 't{i}'")
    return AxTree.parse("\n".join("\t" * d + kinds[i % 2].format(i=i) for i, d in enumerate(depths)))


@given(DEPTHS, CHOICE)
def test_keeps_the_chosen_lines_and_counts_the_rest(depths: list[int], ranges: LineRanges) -> None:
    tree = tree_of(depths)
    pruned = prune(tree, ranges)
    out = pruned.text.split("\n")
    counts = [int(match[1]) for line in out if (match := PLACEHOLDER.fullmatch(line))]
    assert [line for line in out if line and not PLACEHOLDER.fullmatch(line)] == [
        tree.line(number).text for number in ranges.clip(len(tree))
    ]
    assert sum(counts) == pruned.removed.count == len(tree) - pruned.kept.count
    assert len(counts) == len(pruned.removed.pairs)
    assert pruned.kept == ranges.clip(len(tree))
    assert pruned.removed == pruned.kept.complement(len(tree))


@given(DEPTHS, CHOICE, st.sampled_from([keep for keep in KEEPS if "marked" not in keep]))
def test_every_format_leaves_only_what_it_names(depths: list[int], ranges: LineRanges, keep: Keep) -> None:
    tree = tree_of(depths)
    whole = set(ranges.clip(len(tree)))
    left = [f"{('bid' in keep and line.bid and f'[{line.bid}]') or ''} {('role' in keep and line.role) or ''}".strip()
            if line.number not in whole else line.text.strip() for line in tree.lines]  # fmt: skip
    out = prune(tree, ranges, keep).text.split("\n")
    assert [line.strip() for line in out if line and not PLACEHOLDER.fullmatch(line)] == [part for part in left if part]


@given(DEPTHS, CHOICE)
def test_marked_formats_leave_one_line_for_each_line(depths: list[int], ranges: LineRanges) -> None:
    tree = tree_of(depths)
    for keep in ("bid-marked", "bid+role-marked"):
        pruned = prune(tree, ranges, keep)
        out = pruned.text.split("\n")
        assert len(out) == len(tree)
        for line, left in zip(tree.lines, out, strict=True):
            if line.number in pruned.kept:
                assert left == line.text
            elif line.bid:
                role = " button" if "role" in keep else ""
                assert left == "\t" * line.depth + f"[{line.bid}]{role} ... removed ..."
            else:
                assert left == "\t" * line.depth + ("StaticText" if "role" in keep else "StaticText ... removed ...")


@given(DEPTHS, CHOICE, CHOICE)
def test_dropped_lines_vanish_but_count_in_a_run_that_encloses_them(
    depths: list[int], ranges: LineRanges, dropped: LineRanges
) -> None:
    tree, dropped = tree_of(depths), dropped.clip(len(depths))
    pruned = prune(tree, ranges, dropped=dropped)
    assert pruned.kept == ranges.clip(len(tree)).difference(dropped)
    for first, last in pruned.removed.pairs:
        assert first not in dropped
        assert last not in dropped
    silent = pruned.kept.union(pruned.removed).complement(len(tree))
    assert silent.difference(dropped) == LineRanges()
    counts = [int(match[1]) for line in pruned.text.split("\n") if (match := PLACEHOLDER.fullmatch(line))]
    assert sum(counts) == pruned.removed.count


def test_texts_replace_kept_lines_only() -> None:
    tree = AxTree.parse("a\nb\nc")
    assert prune(tree, LineRanges.of([(1, 1)]), texts={1: "A", 2: "B"}).text == "A\n... pruned 2 lines ..."


def test_notes_stand_in_their_placeholder() -> None:
    tree = AxTree.parse("a\n\tb\nc")
    noted = prune(tree, LineRanges.of([(1, 1), (3, 3)]), notes={(2, 2): "a list"})
    assert noted.text == "a\n\t... pruned 1 line: a list ...\nc"


def test_nothing_and_everything() -> None:
    tree = AxTree.parse("a\n\tb")
    assert prune(tree, LineRanges()).text == "... pruned 2 lines ..."
    assert prune(tree, LineRanges.all(2)).text == tree.text
    with pytest.raises(ValueError, match="keep must be"):
        prune(tree, LineRanges(), "all")  # type: ignore[arg-type]
