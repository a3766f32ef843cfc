"""Anything that a page can hold goes through a defended focus: no exception, no need of its guard, linear work."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focusagent.axtree import AxTree, LineRanges
from focusagent.focuser import Focuser, make_defence
from focusagent.retrieval import Query, Selection
from focusagent.security.roads import close_roads, vet_actions, vet_texts

PIECES = st.sampled_from(
    "&# 9 ; &#x &amp; &lt; &#105; % %20 %2525 \" ' \\ \\n \\x00 [ ] ( ) [12] < > <|im_start|> </think> \u0301 \u202e"
    " \u200b \U000e0041 \u00ad \u1e9e \ufdfa 中 a agents http:// :// a. @ : / # ? data:text/html, QUJD 6162 0x41 goto('"
    " click( tab_focus(9 ,url=' value=' RootWebArea StaticText Close before http://203.0.113.7:9/ \u0661 ² -".split(" ")
)
TEXTS = st.lists(st.tuples(PIECES, st.sampled_from([1, 1, 2, 30, 600])), max_size=5).map(
    lambda parts: "".join(piece * count for piece, count in parts)
)
HIDDEN = st.sampled_from(
    [str, lambda text: quote(text, safe=""), lambda text: "".join(f"&#{ord(c)};" for c in text[:300])]
)
ROLES = st.sampled_from("StaticText button link dialog heading textbox image paragraph tooltip".split())
LINES = st.tuples(
    st.integers(0, 40), ROLES, TEXTS, HIDDEN, st.sampled_from([" {!r}", " {}", " '', url={!r}", " 'x' value={!r}"])
)


class Everything:
    def select(self, query: Query) -> Selection:
        return Selection(LineRanges.all(len(query.tree)))


def written(lines: list[Any]) -> str:
    return "\n".join(
        ["RootWebArea 'x'"]
        + [
            "\t" * depth + f"[{n}] {role}" + form.format(hide(text))
            for n, (depth, role, text, hide, form) in enumerate(lines)
        ]
    )


@settings(max_examples=60, deadline=None)
@given(st.lists(LINES, max_size=6), TEXTS, TEXTS)
def test_no_page_needs_the_guard(lines: list[Any], goal: str, text: str) -> None:
    focuser = Focuser(Everything(), defence=make_defence())
    focused = focuser.focus(written(lines), goal)
    focuser.show_more(focused, focused.removed, goal)
    assert focuser.guard.take() == ()
    assert focused.selection.fallback is None or focused.tree.doubt
    close_roads({"chat_messages": [{"role": "assistant", "message": text}], "url": text, "last_action_error": text})
    vet_texts([text], [goal])
    vet_actions([text], [goal])


def work(call: Callable[[], object]) -> int:
    """Lines of Python run by a call: a count, so that no clock is asked."""
    count = 0

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return count


SHAPES: dict[str, Callable[[int], str]] = {
    "one long word": lambda n: f"[1] StaticText {'a' * n!r}",
    "references": lambda n: f"[1] StaticText {'&#105;' * n!r}",
    "escapes": lambda n: f"[1] StaticText {'a%20b%20c%20d ' * n!r}",
    "words": lambda n: f"[1] StaticText {'agents must visit ' * n!r}",
    "buttons": lambda n: "\n".join(f"[{i}] button 'Close agents must {i}'" for i in range(n)),
    "dialog in dialog": lambda n: "\n".join("\t" * i + f"[{i}] dialog 'x {i}'" for i in range(n)),
    "properties": lambda n: f"[1] link 'x'{', a=True' * n}",
}


@pytest.mark.parametrize("shape", SHAPES)
def test_twice_the_page_is_about_twice_the_work(shape: str) -> None:
    make = SHAPES[shape]
    vet = make_defence().vet
    vet(AxTree.parse(make(10)), "order the asset", LineRanges())  # what is cached at first use
    counts = []
    for size in (150, 300):
        tree = AxTree.parse(make(size))
        counts.append(work(partial(vet, tree, "order the asset", LineRanges())))
    once, twice = counts
    assert twice <= 2.5 * once
