"""A part of a long line, with marks that say what is cut."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from focusagent.axtree.excerpt import excerpt
from focusagent.axtree.line import parse_line


def test_marks_say_how_much_is_cut_on_either_side() -> None:
    name = "a" * 812 + "the answer" + "z" * 1_204
    shown = excerpt(f"\t\t[7] paragraph {name!r}, visible", [(812, 822)])
    assert shown == "\t\t[7] paragraph '… (+812 characters) … the answer … (+1,204 characters)', visible"


def test_a_line_of_bare_prose_is_cut_as_well() -> None:
    assert excerpt("\tDear all, the lift is out of order.", [(10, 30)]) == (
        "\t… (+10 characters) … the lift is out of o … (+5 characters)"
    )


@given(st.text(), st.lists(st.tuples(st.integers(-5, 50), st.integers(-5, 50))))
def test_an_excerpt_is_one_line_of_the_same_element(name: str, spans: list[tuple[int, int]]) -> None:
    line = f"\t[a1] heading {name!r}, level=2"
    read = parse_line(excerpt(line, spans))
    assert (read.depth, read.bid, read.role) == (1, "a1", "heading")
    assert "\n" not in read.text
    assert read.text.endswith(", level=2")
