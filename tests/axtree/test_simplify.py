"""Simplification: what each pass shortens, what none may touch, and the map back to the page as received."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focusagent.axtree import DEFAULT, AxTree, LineRanges, simplify
from focusagent.axtree.passes import PASSES

LINES = [
    "[{i}] button 'Go', live='polite', relevant='additions text'",
    "[{i}] link 'A page', url='http://site.test/path/that/is/long/enough/to/be/cut?q=1'",
    "[{i}] link '', url='http://site.test/only/this?names=it'",
    "[{i}] generic",
    "generic 'named'",
    "StaticText 'Go'",
    "StaticText 'a, url=\\'x\\''",
    "StaticText ''",
    "[{i}] row ''",
    "[{i}] image 'logo', url='data:image/png;base64,AAAA'",
    "[{i}] rowgroup '', focused",
    "\tInlineTextBox 'Go'",
    "no node at all, url='",
]
TREES = st.lists(st.tuples(st.integers(0, 4), st.sampled_from(LINES)), max_size=25).map(
    lambda lines: (
        "RootWebArea 'R', url='http://site.test/'\n"
        + "\n".join("\t" * depth + text.format(i=i) for i, (depth, text) in enumerate(lines))
    )
)


@given(TREES | st.text(), st.lists(st.sampled_from(sorted(PASSES)), unique=True))
def test_every_line_is_left_or_dropped_and_keeps_what_identifies_it(text: str, passes: list[str]) -> None:
    tree = AxTree.parse(text)
    result = simplify(tree, passes)
    assert result.tree.received is tree
    assert list(result.original) == list(range(1, len(result.tree) + 1))
    left = list(result.original.values())
    assert left == sorted(set(left))
    assert LineRanges.of_numbers(left) == result.dropped.complement(len(tree))
    assert left[0] == 1
    for line in result.tree.lines:
        before = tree.line(result.original[line.number])
        assert (line.depth, line.bid, line.role, line.name[:80]) == (
            before.depth,
            before.bid,
            before.role,
            before.name[:80],
        )
        assert AxTree.parse(line.text).line(1)[1:] == line[1:]
    assert result.to_original(LineRanges.all(len(result.tree))) == LineRanges.of_numbers(left)
    assert result.texts() == {number: line.text for number, line in zip(left, result.tree.lines, strict=True)}


@given(TREES)
def test_a_second_run_of_the_default_passes_edits_no_line_again(text: str) -> None:
    once = simplify(AxTree.parse(text)).tree
    twice = simplify(once)
    assert all(line.text == once.line(twice.original[line.number]).text for line in twice.tree.lines)


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("inline_text_boxes", "a\n\tInlineTextBox 'x'\nb", "a\nb"),
        (
            "repeated_text",
            "[1] link 'Home'\n\tStaticText 'Home'\n\tStaticText 'new'",
            "[1] link 'Home'\n\tStaticText 'new'",
        ),
        (
            "empty_nodes",
            "main 'x'\n\t[1] generic\n\t\t[2] generic\n\t[3] generic, focused",
            "main 'x'\n\t[3] generic, focused",
        ),
        ("empty_nodes", "main 'x'\n\t[1] generic, live='polite'", "main 'x'\n\t[1] generic, live='polite'"),
        ("empty_live_regions", "main 'x'\n\t[1] generic, live='polite'", "main 'x'"),
        ("wrappers", "x\n\t[1] rowgroup ''\n\t\t[2] row ''", "x\n\t\t[2] row ''"),
        ("live_properties", "[1] log 'x', live='a, b', relevant=text, busy", "[1] log 'x'"),
        ("image_urls", "x\n[1] image 'a', url='u'\n[2] image '', url='u'", "x\n[1] image 'a'\n[2] image '', url='u'"),
        (
            "page_urls",
            "R 'x', url='http://s.t/a?b'\n[1] link 'l', url='http://s.t/c?d=e', focused\n[2] link '', url='http://s.t/f?g'"
            "\n[3] link 'o', url='https://other.test/h'\n[4] link 'j', url='javascript:void(0);'",
            "R 'x', url='http://s.t/a?…'\n[1] link 'l', url='/c?…', focused\n[2] link '', url='/f?g'"
            "\n[3] link 'o', url='https://other.test/h'\n[4] link 'j'",
        ),
        ("page_urls", "x\nStaticText 'see, url=\\'http://a.b/c?d\\''", "x\nStaticText 'see, url=\\'http://a.b/c?d\\''"),
        ("long_names", f"x\n[1] cell '{'a' * 299}\\n{'b' * 30}', f", f"x\n[1] cell '{'a' * 299}… (+32 characters)', f"),
    ],
)
def test_what_each_pass_does(name: str, before: str, after: str) -> None:
    assert simplify(AxTree.parse(before), [name]).tree.text == after


def test_lossy_passes_are_off() -> None:
    assert {"empty_live_regions", "long_names"}.isdisjoint(DEFAULT)
    with pytest.raises(KeyError):
        simplify(AxTree.parse(""), ["no such pass"])


def test_a_hundred_thousand_escapes_are_cut_between_escapes() -> None:
    text = "x\n[1] link '', url='" + "\\u2028" * 100_000 + "'"
    short = simplify(AxTree.parse(text), ["page_urls"]).tree.line(2).text
    assert short == "[1] link '', url='" + "\\u2028" * 20 + "…'"
