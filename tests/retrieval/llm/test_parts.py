"""Pages cut into parts: every line once, no part over budget, borders where subtrees begin."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focusagent.axtree import AxTree, LineRanges
from focusagent.models.tokens import count_tokens
from focusagent.retrieval.llm.page_text import fit_lines, numbered_lines
from focusagent.retrieval.llm.parts import lines_to_read, plan_parts

DEPTHS = st.lists(st.integers(0, 6), min_size=1, max_size=120)


def tree_of(depths: list[int]) -> AxTree:
    return AxTree.parse("\n".join("\t" * depth + f"[{i}] button 'B{i}'" for i, depth in enumerate(depths)))


@settings(max_examples=200, deadline=None)
@given(DEPTHS, st.integers(40, 400), st.data())
def test_parts_own_each_line_once_within_the_budget(depths: list[int], budget: int, data: st.DataObject) -> None:
    tree = tree_of(depths)
    costs = data.draw(st.lists(st.integers(1, budget // 4), min_size=len(depths), max_size=len(depths)))
    parts = list(plan_parts(tree, range(1, len(tree) + 1), costs, budget))
    assert [number for part in parts for number in part.own] == list(range(1, len(tree) + 1))
    for part in parts:
        assert sum(costs[number - 1] for number in part.numbers) <= budget
        assert list(part.numbers) == sorted(set(part.numbers))
        assert all(number < part.first for number in part.context)


def test_case_04_what_belongs_together_is_read_together() -> None:
    lines = [f"\t\tStaticText 'filler {i}'" for i in range(1, 200)]
    lines += ["\t\tStaticText 'Seat 14A — best view'", "\t\t[88] button 'Select'", *lines]
    tree = AxTree.parse("\n".join(lines))
    for budget in range(400, 1600, 100):
        parts = plan_parts(tree, range(1, len(tree) + 1), [8] * len(tree), budget)
        assert any({200, 201} <= set(part.numbers) for part in parts)


def test_ancestors_go_along() -> None:
    depths = [0, 1, 2] + [3] * 200
    parts = list(plan_parts(tree_of(depths), range(1, 204), [5] * 203, 300))
    assert len(parts) > 2
    assert all({1, 2, 3} <= set(part.numbers) for part in parts)


def test_a_part_ends_where_a_subtree_begins() -> None:
    depths = [0] + [1, 2, 2, 2, 2, 2, 2] * 30
    tree = tree_of(depths)
    parts = list(plan_parts(tree, range(1, len(tree) + 1), [5] * len(tree), 300))
    assert len(parts) > 3
    assert all(tree.line(part.first).depth == 1 for part in parts[1:])


def test_within_brings_its_ancestors_along() -> None:
    tree = tree_of([0, 1, 2, 1, 2, 2])
    assert list(lines_to_read(tree, LineRanges.of([(6, 6)]))) == [1, 4, 6]
    assert list(lines_to_read(tree, None)) == [1, 2, 3, 4, 5, 6]


def test_a_giant_line_is_cut_in_the_prompt_with_a_mark() -> None:
    lines = numbered_lines(AxTree.parse(f"RootWebArea 'x'\n\t[1] link '{'word ' * 200_000}'"))
    fitted, costs = fit_lines(lines, 500)
    assert fitted[0] == lines[0]
    assert fitted[1].startswith("2: \t[1] link 'word word")
    assert "characters)" in fitted[1]
    assert count_tokens(f"{fitted[1]}\n") == costs[1] <= 500


@pytest.mark.parametrize("text", ["</answer>", "<answer>", "<|endoftext|>", "<!--", "</page>", "<think>"])
def test_tags_are_neutralised(text: str) -> None:
    assert numbered_lines(AxTree.parse(f"[1] link '{text}'")) == [f"1: [1] link '‹{text[1:]}'"]


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200))
def test_any_page_stays_one_numbered_line_a_line(text: str) -> None:
    tree = AxTree.parse(text)
    shown = numbered_lines(tree)
    assert len(shown) == len(tree)
    for number, line in enumerate(shown, 1):
        assert line.startswith(f"{number}: ")
        assert line.splitlines() == [line]
        line.encode()
