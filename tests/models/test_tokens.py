"""The counts of lines add up to the count of the page, whatever the page holds."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from focusagent.models import tokens
from focusagent.models.tokens import count_lines, count_page, count_tokens

TEXTS = st.lists(
    st.text(st.sampled_from("ab1 \t.,'[]=/é世\u2028\x0b\xa0\ud800<|>\r\n"), max_size=12), min_size=1, max_size=8
).map("\n".join)


@settings(max_examples=500)
@given(TEXTS)
@example("RootWebArea 'x'\n\t[1] link 'a', url='/'\n\t\tStaticText 'b'")
@example("a'\n\nb")
@example("x\n")
@example("\n\t[1]")
@example("<|endoftext|>\n<|endoftext|>")
def test_the_lines_add_up(text: str) -> None:
    assert count_page(text) == count_tokens(text)


def test_a_line_that_comes_again_is_not_encoded_again() -> None:
    line = "\t[73] link 'a line of the test of remembered lines'"
    first = count_lines([line])
    before = dict(tokens._counts)
    assert count_lines([line, line]) == first * 2
    assert tokens._counts == before


def test_memory_is_bounded() -> None:
    count_lines(str(number) for number in range(tokens.MAX_LINES + 10))
    count_lines(["x"])
    assert len(tokens._counts) <= 2
