"""The definitions of coverage, case by case."""

from __future__ import annotations

import pytest

from focusagent.axtree import AxTree, LineRanges
from focusagent.coverage.metric import (
    Survivors,
    covers_answer,
    covers_context,
    covers_needed,
    covers_target,
    label,
    named_ancestor,
)

PAGE = AxTree.parse(
    "\n".join(
        [
            "RootWebArea 'Shop'",  # 1
            "\t[m] main ''",  # 2
            "\t\t[l] list 'Results'",  # 3
            "\t\t\t[i] listitem ''",  # 4
            "\t\t\t\t[h] heading 'Kettle'",  # 5
            "\t\t\t\t[b] button 'Add'",  # 6
            "\t\t\t[j] listitem ''",  # 7
            "\t\t\t\tStaticText 'Pan'",  # 8
            "\t\t\t\t[c] button 'Add'",  # 9
            "\t\t[s] button 'Sort'",  # 10
            "\t\t\tStaticText 'Sort'",  # 11
            "\t\t[u] link ''",  # 12
            "\t\t\tStaticText 'under'",  # 13
        ]
    )
)


def survivors(*numbers: int, page: AxTree = PAGE, **texts: str) -> Survivors:
    shown = {number: page.line(number).text for number in numbers}
    return Survivors(page, shown | {int(key[1:]): text for key, text in texts.items()})


def test_ancestors_and_labels() -> None:
    assert named_ancestor(PAGE, 6) == 3
    assert named_ancestor(PAGE, 10) == 0
    assert [label(PAGE, number) for number in (6, 9, 5, 12)] == [5, 8, 0, 11]


@pytest.mark.parametrize(
    ("kept", "bid", "covered", "in_context"),
    [
        ((6, 5, 3), "b", True, True),
        ((6, 5), "b", True, False),
        ((6, 3), "b", True, False),
        ((5, 3), "b", False, False),
        ((9, 8, 3), "c", True, True),
        ((9, 5, 3), "c", True, False),
        ((12, 11), "u", True, True),
        ((12, 10), "u", True, True),
        ((12, 13), "u", True, False),
        ((3,), "l", True, True),
    ],
)
def test_targets(kept: tuple[int, ...], bid: str, covered: bool, in_context: bool) -> None:
    assert covers_target(survivors(*kept), bid) is covered
    assert covers_context(survivors(*kept), bid) is in_context


@pytest.mark.parametrize(
    ("shown", "covered"),
    [
        ("\t\t[s] button 'Sort', focused", True),
        ("\t\t[s] button", False),
        ("\t\t[s] button ''", False),
        ("[s]", False),
        ("\t\t[s] link 'Sort'", False),
        ("\t\t[t] button 'Sort'", False),
    ],
)
def test_a_line_must_keep_role_and_name(shown: str, covered: bool) -> None:
    assert covers_target(survivors(n10=shown), "s") is covered


def test_names_count_up_to_eighty_characters_and_must_differ_from_every_other_one_shown() -> None:
    long = "n" * 80
    page = AxTree.parse(f"root 'r'\n\t[1] link '{long}one'\n\t[2] link '{long}two'\n\t[3] link '{'n' * 79}x'")
    cut = f"\t[1] link '{long}… (+3 characters)'"
    same = f"\t[2] link '{long}… (+3 characters)'"
    assert covers_target(survivors(3, page=page, n2=cut), "1") is True
    assert covers_target(Survivors(page, {2: cut, 3: same}), "1") is False
    assert covers_target(Survivors(page, {2: cut, 4: page.line(4).text}), "1") is True
    assert covers_target(Survivors(page, {2: f"\t[1] link '{long[:60]}…'"}), "1") is False


def test_needed_lines_may_be_said_by_the_line_above_that_repeats_them() -> None:
    assert covers_needed(survivors(10), LineRanges.of([(10, 11)]))
    assert not covers_needed(survivors(4), LineRanges.of([(4, 5)]))
    assert covers_needed(survivors(12, 13), LineRanges.of([(12, 13)]))


@pytest.mark.parametrize(
    ("text", "answer", "told"),
    [
        ("[222] cell 'none'", ("22",), False),
        ("[1] cell 'sold 22 times'", ("22",), True),
        ("[1] cell '2022'", ("22",), False),
        ("[1] link 'REQ0010011'", ("0010011",), True),
        ("[1] textbox 'Price' value='$8,799.92'", ("$8,799.92",), True),
        ("   prose of a name with raw line feeds, 22 of it", ("22",), True),
        ("[1] cell 'it\\'s here'", ("it's here",), True),
        ("[1] cell 'one'", ("one", "two"), False),
    ],
)
def test_answers(text: str, answer: tuple[str, ...], told: bool) -> None:
    page = AxTree.parse(f"root ''\n{text}\n[9] cell 'two'")
    assert covers_answer(survivors(2, page=page), answer) is told


def test_a_placeholder_is_no_answer() -> None:
    assert not covers_answer(Survivors(PAGE, {}), ("13",))
