from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from focusagent.axtree import AxTree
from focusagent.long_lines import LEAST, cut_long_lines
from focusagent.models.tokens import count_tokens

WORDS = "one two three "


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(1, 400), min_size=1, max_size=6), st.integers(LEAST, 3_000))
def test_lines_are_cut_to_one_greatest_length_and_none_is_lost(sizes: list[int], room: int) -> None:
    text = "\n".join(f"[{number}] StaticText {WORDS * size!r}, visible" for number, size in enumerate(sizes))
    cut = cut_long_lines(text, room)
    lines = AxTree.parse(cut).lines
    assert [(line.bid, line.role) for line in lines] == [(str(number), "StaticText") for number in range(len(sizes))]
    if count_tokens(text) <= room or room // len(sizes) < LEAST:
        assert cut == text or count_tokens(text) > room
    else:
        assert count_tokens(cut) <= room + 30 * len(sizes)
        assert count_tokens(cut) >= room * 0.9 - 30 * len(sizes)
    for before, after in zip(text.split("\n"), lines, strict=True):
        assert after.text == before or ("characters)', visible" in after.text and after.name.startswith(WORDS[:5]))


def test_a_cut_says_what_is_missing_and_breaks_no_escape() -> None:
    name = "a\\'" * 4_000
    cut = cut_long_lines(f"[1] button \"{name}\"\nStaticText {'b ' * 9_000}\n[2] link 'x'", 1_500)
    first, second, third = AxTree.parse(cut).lines
    assert (first.bid, first.role, third.name) == ("1", "button", "x")
    assert first.name.endswith(" characters)")
    assert second.text.endswith(" characters)")
    assert cut_long_lines("a\nb", 10) == "a\nb"
    many = "\n".join(["[1] button 'x'"] * 2_000)
    assert cut_long_lines(many, 500) == many
