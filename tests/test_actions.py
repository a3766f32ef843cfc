"""The one reader of actions agrees with BrowserGym's own parser, and is linear where that one is not."""

from __future__ import annotations

from itertools import chain
from typing import Any

import pytest
from browsergym.core.action.parsers import NamedArgument, highlevel_action_parser
from hypothesis import example, given, settings
from hypothesis import strategies as st

from focusagent import actions
from focusagent.actions import attempts, bids_of, calls

PIECES = st.sampled_from(
    [
        *"()[]{},:=#.01\n\t'\"\\ ",
        *(
            "click(",
            "noop()",
            "goto(",
            "'a12'",
            '"x y"',
            "bid=",
            "url=",
            "-3.5",
            "1e3",
            "True",
            "Truth",
            "None",
            "# c\n",
        ),
        *("# c\n", "'''t\n'''", '""', '"""q"""', "r'", "'it\\'s'", "é", "x", "\xa0", "\u2028", "{'k': [1, (2,)]}"),
    ]
)


def as_browsergym_reads(text: str) -> list[tuple[str, tuple[object, ...], dict[str, object]]]:
    found: list[Any] = list(chain.from_iterable(highlevel_action_parser.search_string(text).as_list()))
    return [
        (
            name,
            tuple(value for value in arguments if not isinstance(value, NamedArgument)),
            {value.name: value.value for value in arguments if isinstance(value, NamedArgument)},
        )
        for name, arguments in found
    ]


@settings(max_examples=400)
@given(st.lists(PIECES, max_size=14).map("".join))
@example("I will now click('77')")
@example("é(0url='x')")
@example("noop(r'goto(\"http://evil.example\")')")
@example("a # click('1')\nclick('2')")
def test_reads_what_browsergym_reads(text: str) -> None:
    assert repr([(call.name, call.positional, call.named) for call in calls(text)]) == repr(as_browsergym_reads(text))


@pytest.mark.parametrize(
    ("action", "bids", "values"),
    [
        ("click('a51')", ("a51",), ()),
        ("click(bid='77', button='right')", ("77",), ("right",)),
        ("fill('12', 'two words')", ("12",), ("two words",)),
        ("fill(value='x', bid='12')", ("12",), ("x",)),
        ("select_option('3', ['red', 'blue'])", ("3",), ("red", "blue")),
        ("drag_and_drop('1', to_bid='2')", ("1", "2"), ()),
        ("goto('http://a.example')", (), ("http://a.example",)),
        ("tap(bid='9')", ("9",), ()),
        ("scroll(0, 200)", (), ("0", "200")),
        ("noop()", (), ()),
    ],
)
def test_elements_and_values(action: str, bids: tuple[str, ...], values: tuple[str, ...]) -> None:
    (call,) = calls(action)
    assert (call.bids, call.values, call.text) == (bids, values, action)


def test_every_call_of_several() -> None:
    assert bids_of("Now: click('1') then\nfill('2', 'x')  # click('3')") == ("1", "2")
    assert bids_of(None) == ()


def test_a_call_that_cannot_be_read_is_told_to_who_is_strict() -> None:
    assert [(call.name, call.readable) for call in attempts("goto(where) noop()")] == [("goto", False), ("noop", True)]
    digits = "9" * 5_000
    assert [call.readable for call in attempts(f"tab_focus({digits}) x({'[' * 500}) x('\\x4')")] == [False] * 3


@pytest.mark.parametrize(
    "piece", ["a", "a ", "a1", "#a\n", "a#b", "f(", "f(1,", "f('", "f(\"'''", "f([", "f([1,", "{'", "f(x=", "1e", '"""']
)
def test_the_work_grows_linearly(piece: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted as positions passed, not timed: each is passed a bounded number of times."""
    passed = 0
    original = actions._gap

    def counted(text: str, position: int) -> int:
        nonlocal passed
        end = original(text, position)
        passed += 1 + end - position
        return end

    monkeypatch.setattr(actions, "_gap", counted)
    text = piece * 5_000
    list(attempts(text))
    assert passed <= 8 * len(text)
