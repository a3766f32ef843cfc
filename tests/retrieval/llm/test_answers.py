"""Answers in every shape: read, clipped, or named as a problem; never an exception."""

from __future__ import annotations

import gc
import os
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focusagent.axtree import LineRanges
from focusagent.retrieval.base import Fallback
from focusagent.retrieval.llm.answers import parse_answer, split_reasoning

PAGE = LineRanges.all(100)
EXAMPLES = int(os.environ.get("FOCUSAGENT_EXAMPLES", "500"))

READ = {
    "<answer>[(1, 3), (7, 9)]</answer>": [(1, 3), (7, 9)],
    "<think>maybe [(1,1)] or [12] button</think>\n[(38, 42)]": [(38, 42)],
    "…lines 1-5 look right </think>\n[(1, 5)]": [(1, 5)],
    "```text\nnotes\n```\n```json\n[[10, 12], [3, 4]]\n```": [(3, 4), (10, 12)],
    '{"answer": [[65, 68]]}': [(65, 68)],
    '{"reasoning": "not [(1, 2)]", "answer": [[65, 68]]}': [(65, 68)],
    '<answer>{"answer": [[65, 68]]}</answer>': [(65, 68)],
    '{"answer": "10-12"}': [(10, 12)],
    '{"answer": [(1, 2)]}': [(1, 2)],
    '[{"start": 1, "end": 3}, {"start": 7, "end": 9}]': [(1, 3), (7, 9)],
    "<answer>\n```python\n[(1,3)]\n```\n</answer>": [(1, 3)],
    "<answer>10-12, 20</answer>": [(10, 12), (20, 20)],
    "<answer>10 – 12; 20</answer>": [(10, 12), (20, 20)],
    "<answer>lines 10 to 12 and 20</answer>": [(10, 12), (20, 20)],
    "<answer>[5, (7, 9)]</answer>": [(5, 5), (7, 9)],
    "<answer>[5, 7]</answer>": [(5, 5), (7, 7)],
    "<answer>(5, 7)</answer>": [(5, 7)],
    "<answer>[5, 7], [9, 11]</answer>": [(5, 7), (9, 11)],
    "[(1–2)]": [(1, 2)],
    "5 12 18 23": [(5, 5), (12, 12), (18, 18), (23, 23)],
    "I kept the form.\n\n[(1, 2),\n (4, 5)]\n\nThat is all.": [(1, 2), (4, 5)],
    "The answer is [(38, 42)].": [(38, 42)],
    "- 5-10\n- 20": [(5, 10), (20, 20)],
    "<answer>[(1, 3),  # the heading\n (5, 6)]</answer>": [(1, 3), (5, 6)],
    "<answer>[(1,2)]</answer> wait, <answer>[(10,12)]</answer>": [(10, 12)],
    "<think>page says <answer>[(51,51)]</answer></think><answer>[(1,3)]</answer>": [(1, 3)],
    "<ANSWER>[(1,3)]</ANSWER>": [(1, 3)],
    "<answer>[(1,3)]": [(1, 3)],
    "<answer>[(-5, 3)]</answer>": [(1, 3)],
    "<answer>[(12, 10)]</answer>": [(10, 12)],
    "<answer>[(48, 400)]</answer>": [(48, 100)],
    f"<answer>[(1, {'9' * 6000})]</answer>": [(1, 100)],
    "<answer>[]</answer>": [],
    "[]": [],
}
PROBLEMS = {
    "": Fallback.EMPTY_ANSWER,
    " \n": Fallback.EMPTY_ANSWER,
    "<think>cut off": Fallback.EMPTY_ANSWER,
    "I'm sorry, I can't help with that.": Fallback.REFUSED,
    "I cannot assist with this request.": Fallback.REFUSED,
    "Click [12] button 'Save' next.": Fallback.UNREADABLE,
    "<answer></answer>": Fallback.UNREADABLE,
    "<answer>none</answer>": Fallback.UNREADABLE,
    "<answer>[(first, last)]</answer>": Fallback.UNREADABLE,
    "<answer>[(1, 2), (5": Fallback.UNREADABLE,
    "<answer>[(1, 2),": Fallback.UNREADABLE,
    "<answer>[(1, 2)]</answer> no: <answer>[(10,": Fallback.UNREADABLE,
    "<answer>[(900, 950)]</answer>": Fallback.NOTHING_VALID,
    "<answer>[(0, 0)]</answer>": Fallback.NOTHING_VALID,
}


@pytest.mark.parametrize("text", READ)
def test_case_13_every_notation_is_read(text: str) -> None:
    answer = parse_answer(text, PAGE)
    assert answer.problem is None
    assert list(answer.ranges.pairs) == READ[text]


@pytest.mark.parametrize("text", PROBLEMS)
def test_what_cannot_be_used_says_why(text: str) -> None:
    answer = parse_answer(text, PAGE)
    assert (answer.problem, answer.ranges) == (PROBLEMS[text], LineRanges())
    assert answer.wrong.strip(), "the repair turn has something to say"


def test_what_was_mended_is_noted() -> None:
    answer = parse_answer("<answer>[(12, 10), (95, 120)]</answer>", PAGE)
    assert answer.ranges.pairs == ((10, 12), (95, 100))
    assert answer.notes == ("reversed ranges turned round: 1", "lines dropped that were not shown: 20")


def test_lines_that_were_not_shown_are_never_chosen() -> None:
    shown = LineRanges.of([(1, 1), (50, 60)])
    assert parse_answer("<answer>[(1, 99999)]</answer>", shown).ranges == shown


def test_attacks_are_a_list_of_their_own() -> None:
    answer = parse_answer("<answer>[(1, 9)]</answer>\n<attack>[(4, 5)]</attack>", PAGE)
    assert (answer.ranges.pairs, answer.flagged.pairs) == (((1, 9),), ((4, 5),))
    assert parse_answer('{"answer": [[1, 9]], "attack": [[4, 5]]}', PAGE).flagged.pairs == ((4, 5),)
    assert not parse_answer("<answer>[(1, 9)]</answer><attack>none</attack>", PAGE).flagged


def test_reasoning_is_kept_apart() -> None:
    assert parse_answer("<think>The form.</think>\n<answer>[(1,3)]</answer>", PAGE).reasoning == "The form."
    assert parse_answer("The form.\n<answer>[(1,3)]</answer>", PAGE).reasoning == "The form."
    visible, thoughts = split_reasoning("<think>a</think>b<think>c")
    assert (visible.split(), thoughts.split()) == (["b"], ["a", "c"])


FRAGMENTS = st.sampled_from(
    '<think> </think> <answer> </answer> <attack> [ ] ( ) { } "answer": 1 23 999999999999 - – , : \n ``` json to lines'
    ' # // .. <reasoning> " x [(1,2)] [[3,4]] {"answer":[[5,6]]} \ud800 é'.split(" ")
)


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.one_of(st.lists(FRAGMENTS, max_size=25).map("".join), st.text(max_size=200)), st.integers(1, 30))
def test_any_text_is_an_answer_or_a_problem(text: str, n: int) -> None:
    shown = LineRanges.all(n)
    answer = parse_answer(text, shown)
    assert answer.ranges.clip(n) == answer.ranges
    assert answer.flagged.clip(n) == answer.flagged
    assert not (answer.problem and answer.ranges)
    assert bool(answer.problem) == bool(answer.wrong)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 50), st.integers(1, 50)), min_size=1, max_size=8))
def test_what_is_written_is_what_is_read(pairs: list[tuple[int, int]]) -> None:
    expected = LineRanges.of(pairs)
    for text in (f"<answer>{pairs}</answer>", f"ok {pairs}.", '{"answer": %s}' % [list(pair) for pair in pairs]):
        assert parse_answer(text, PAGE).ranges == expected


@pytest.mark.parametrize(
    "unit", ["[", "{", '{"a":', "<think>", "<answer>", "(1,", "1 ", "1\n", "[(1,2)] x ", "lines ", "- "]
)
def test_reading_is_linear_in_the_text(unit: str) -> None:
    """Eight times the text in less than twenty times the time: a quadratic reader takes sixty-four."""
    gc.collect()
    gc.disable()
    try:
        few, many = (_fastest(unit * (size // len(unit))) for size in (3_000, 24_000))
    finally:
        gc.enable()
    assert many < 20 * max(few, 0.002)


def _fastest(text: str) -> float:
    seconds = []
    for _ in range(3):
        started = time.process_time()
        parse_answer(text, PAGE)
        seconds.append(time.process_time() - started)
    return min(seconds)
