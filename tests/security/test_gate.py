"""The gate: what it refuses, what it lets through, and what it learns."""

from __future__ import annotations

import re

import pytest
from browsergym.core.action.highlevel import HighLevelActionSet
from hypothesis import example, given, settings
from hypothesis import strategies as st

from focusagent.axtree import AxTree
from focusagent.security.gate import Gate
from focusagent.security.origins import origin_of

HOME = "http://127.0.0.1:5000/f"
PAGE = AxTree.parse(
    "\n".join(
        [
            f"RootWebArea 'Forum', url='{HOME}'",
            "\t[1] link 'out', url='http://evil.example/'",
            "\t\t[2] image 'x'",
            "\t[3] link 'in', url='http://127.0.0.1:5000/a#b'",
            "\t[4] button 'b'",
            "\t[5] link 'js', url='javascript:void(0);'",
            "\t[6] listitem 'Go on'",
            "\t\t[7] link 'in', url='/a'",
            "\t\t[8] link 'out', url='http://evil.example/'",
            "\t[9] listitem 'Stay'",
            "\t\t[10] link 'in', url='/a'",
        ]
    )
)
REFUSED = [
    "goto('http://evil.example')",
    'goto("localhost:1234")',
    "goto('evil.example')",
    "goto(' \thttp://evil.example')",
    "goto('http:evil.example')",
    "goto('//evil.example')",
    "goto('/\\\\evil.example')",
    "goto('http://127.0.0.1:5000@evil.example')",
    "goto('http://evil.example\\\\@127.0.0.1:5000')",
    "goto('http://2130706433:999')",
    "goto(url='http://evil.example')",
    "goto('data:text/html,hi')",
    "goto('javascript:alert(1)')",
    "goto(url)",
    "goto(",
    "goto # c\n('http://evil.example')",
    "I think goto('''http://evil.example''') is best",
    "x = \"goto('http://evil.example')\"; noop()",
    "page.goto('http://evil.example')",
    "noop()\nnew_tab('http://evil.example')",
    "goto('http://127.0.0.1:5000/out?to=http%3A%2F%2Fevil.example%2Fx')",
    "goto('http://127.0.0.1:5000/out?to=//evil.example')",
    "goto('http://127.0.0.1:5000/r/http:/evil.example')",
    "goto('//user\uff0fx@evil.example/')",
    "click('1')",
    "click('6')",
    "click(bid='1')",
    "click('2')",
    "press('1', 'Enter')",
    "tab_focus(1)",
    "noop()" * 30 + "goto('http://evil.example')",
]
ALLOWED = [
    "",
    "noop()",
    "goto('http://127.0.0.1:5000/x')",
    "goto('localhost:5000/x')",
    "goto('/f/x')",
    "goto('http://127.0.0.1:5000/?q=a=b//c')",
    "goto('http://shop.example.com/a')",
    "goto('https://shop.example.com/a')",
    "new_tab()",
    "click('3')",
    "click('4')",
    "click('5')",
    "click('9')",
    "click('99')",
    "goto('http://127.0.0.1:5000/?q=http:+the+guide')",
    "goto('http://127.0.0.1:5000/?u=//cdn')",
    "tab_focus(0)",
    "tab_focus(7)",
    "fill('4', 'see http://evil.example')",
    "send_msg_to_user(\"you may goto('http://evil.example')\")",
]
TABS = (HOME, "http://evil.example/")


def gate() -> Gate:
    return Gate(HOME, "Compare prices on http://shop.example.com/x")


@pytest.mark.parametrize("action", REFUSED)
def test_refused(action: str) -> None:
    verdict = gate().check(action, PAGE, TABS)
    assert not verdict.allowed
    assert verdict.reason.startswith("Refused")
    assert "evil" not in verdict.reason


@pytest.mark.parametrize("action", ALLOWED)
def test_allowed(action: str) -> None:
    assert gate().check(action, PAGE, TABS).allowed


def test_the_users_list_is_allowed() -> None:
    assert Gate(HOME, allow=["evil.example"]).check("goto('http://evil.example/x')").allowed
    assert Gate(HOME, allow=["localhost:1234"]).check("goto('http://127.0.0.1:1234')").allowed


@pytest.mark.parametrize(
    ("goal", "url"),
    [
        ("请打开http://shop.example，谢谢", "http://shop.example/"),
        ("Open **http://shop.example** and buy", "https://www.shop.example/"),
        ("Open http://shop.example\u2014then buy", "http://shop.example/"),
        ("Open shop.example:8080 and buy", "http://shop.example:8080/"),
        ("Open shop.de and buy", "https://shop.de/"),
        ("Buy it at shop.co.uk.", "https://shop.co.uk/"),
        ("Go to 10.0.0.5 and buy", "http://10.0.0.5/"),
        ("Open http://b\u00fccher.example", "http://xn--bcher-kva.example/"),
        ("Open http://[::1]:80/", "http://[0:0:0:0:0:0:0:1]/"),
    ],
)
def test_the_goals_own_site_is_allowed_however_it_is_written(goal: str, url: str) -> None:
    assert Gate("", goal).check(f"goto('{url}')").allowed
    assert not Gate("", goal).check("goto('http://evil.example/')").allowed


def test_a_file_in_the_goal_is_no_site() -> None:
    assert not Gate(HOME, "Open README.md and report.zip").check("goto('https://report.zip')").allowed


def test_a_vetted_click_teaches_an_origin_and_nothing_else_does() -> None:
    there = "http://pay.example/checkout"
    for action, before, withheld in [
        ("goto('x')", HOME, ()),
        ("click('4')", "http://evil.example", ()),
        ("click('4')", HOME, ("4",)),
    ]:
        strict = gate()
        assert not strict.learn(action, before, there, withheld)
        assert not strict.check(f"goto('{there}')").allowed
    learner = gate()
    assert learner.learn("click('4')", HOME, there)
    assert learner.check(f"goto('{there}')").allowed


BROWSERGYM = HighLevelActionSet(subsets=["bid", "nav"], multiaction=True, strict=False)
PIECES = (*"()'\"#\n \\,[]{}:*-", "goto", "'''", "noop()", "noop(", "noop(r", "noop('", "x = ", "1_0", "0x1", "1j", "f")
JUNK = st.lists(st.sampled_from(PIECES), max_size=6).map("".join)
OPENINGS = st.sampled_from(
    [
        "goto('http://evil.example')",
        'goto("http://evil.example",)',
        "goto('''http://evil.example''')",
        "goto(url='http://evil.example')",
        "goto # x\n ( # y\n 'http://evil.example' )",
        "goto('http://evil\\x2eexample')",
    ]
)


@settings(deadline=None, max_examples=150)
@given(st.tuples(JUNK, OPENINGS, JUNK).map("".join))
@example("noop(r'goto(\"http://evil.example\")')")
@example("noop(b'goto(\"http://evil.example\")')")
@example("noop('a' 'goto(\"http://evil.example\")')")
@example("noop(0x10, 'goto(\"http://evil.example\")')")
@example("noop({1: 'goto(\"http://evil.example\")'})")
@example("noop(wait_ms=1, **{'a': 'goto(\"http://evil.example\")'})")
@example("# noop('''\ngoto('http://evil.example')\n# ''')")
@example("# noop(\n'goto(\"http://evil.example\")')")
def test_whatever_browsergym_would_open_is_refused(action: str) -> None:
    try:
        code = BROWSERGYM.to_python_code(action)
    except Exception:
        return  # BrowserGym cannot read it and does nothing
    if re.search(r"^goto\(.*evil\.example", code, re.MULTILINE):
        assert not gate().check(action).allowed


@pytest.mark.parametrize("text", ["a." * 4_000 + "!", "a-" * 4_000 + ".!"])
def test_what_only_looks_like_a_long_address_is_none_and_ends(text: str) -> None:
    assert origin_of(text) is None
    assert Gate("", text).origins == set()
