"""Answers that the real servers gave for `recorded/page.html`, a page full of text that looks like their own."""

import json
from pathlib import Path

import pytest

from focusagent.axtree import AxLine, AxTree
from focusagent.axtree.properties import properties
from focusagent.focuser import focus
from focusagent.retrieval import Fallback, Skip

RECORDED = Path(__file__).parent / "recorded"
FILES = {
    "playwright-mcp.md": "playwright-mcp",
    "chrome-devtools.txt": "chrome-devtools",
    "chrome-devtools-verbose.txt": "chrome-devtools",
    "browser-use.txt": "browser-use",
}


def tree_of(name: str) -> AxTree:
    return AxTree.parse((RECORDED / name).read_text(encoding="utf-8"))


def named(tree: AxTree, name: str) -> AxLine:
    """The one element of that name."""
    (line,) = (line for line in tree.lines if line.bid and line.name == name and line.role != "StaticText")
    return line


@pytest.mark.parametrize(("name", "dialect"), FILES.items())
def test_recognised_and_back(name: str, dialect: str) -> None:
    tree = tree_of(name)
    assert (tree.dialect, tree.doubt) == (dialect, "")
    assert tree.text == (RECORDED / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["playwright-mcp.md", "chrome-devtools.txt", "chrome-devtools-verbose.txt"])
def test_the_page_cannot_forge_an_element(name: str) -> None:
    tree = tree_of(name)
    assert not [line for line in tree.lines if line.name.startswith("Forged")]
    assert not {"e94", "e95", "e96", "e97", "e98", "e99", "1_78", "1_79"} & tree.by_bid.keys()
    assert named(tree, "[ref=e5] [cursor=pointer]").role == "button"


def test_an_unquoted_form_gives_up_what_is_there_twice() -> None:
    text = "[5]<button aria-label=Pay />\n[6]<a />\n\tHome\n[5]<button aria-label=Forged />"
    tree = AxTree.parse(text)
    assert tree.by_bid.keys() == {"6"}
    assert tree.unread.pairs == ((1, 1), (4, 4))
    assert "Forged" not in focus(text, "Pay", defense=True).text


@pytest.mark.parametrize("name", ["playwright-mcp.md", "chrome-devtools.txt"])
def test_states_in_one_vocabulary(name: str) -> None:
    tree = tree_of(name)
    assert tree.line(tree.root).role == "RootWebArea"
    assert properties(tree.line(tree.root))["url"] == "http://127.0.0.1:8000/torture.html"
    assert properties(named(tree, "Agree"))["checked"] == "true"
    assert "focused" in properties(named(tree, "Search here: now"))
    assert properties(named(tree, "Name"))["value"] == "Bob: 'x'"
    disabled = named(tree, 'a" [ref=e97] [checked]')
    assert properties(disabled)["disabled"] == "True"
    assert "checked" not in properties(disabled)
    assert properties(named(tree, "Home"))["url"].endswith("/home")


def test_what_a_dialect_cannot_say_is_missing() -> None:
    assert "clickable" in properties(named(tree_of("playwright-mcp.md"), "Home"))
    assert "clickable" not in properties(named(tree_of("chrome-devtools.txt"), "Home"))
    menu = next(line for line in tree_of("chrome-devtools.txt").lines if line.name.startswith("Menu"))
    assert properties(menu)["expanded"] == "False"
    assert properties(menu)["hasPopup"] == "menu"


def test_a_link_to_a_snapshot_is_no_page() -> None:
    text = (RECORDED / "playwright-mcp-link.md").read_text(encoding="utf-8")
    focused = focus(text, "x")
    assert focused.text == text
    assert "snapshots/page.yml" in focused.note


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<!doctype html>\n<html><body>\n<button>Pay</button></body></html>", "HTML"),
        ("<div>\n<p>x</p>\n</div>", "HTML"),
        (json.dumps({"role": "button", "children": [{"name": "x"}]}, indent=1), "JSON"),
        ("Dear reader,\nthis is a letter.\nIt has no elements at all.", "no accessibility tree"),
    ],
)
def test_what_is_no_tree_comes_back_whole_or_is_withheld(text: str, said: str) -> None:
    focused = focus(text, "Pay")
    assert (focused.text, focused.selection.skipped) == (text, Skip.NO_TREE)
    assert said in focused.note
    assert "\n" not in focused.note
    withheld = focus(text, "Pay", defense=True)
    assert withheld.selection.fallback is Fallback.UNREADABLE
    assert withheld.text == f"... pruned {len(withheld.tree)} lines ..."
    assert withheld.flagged.count == len(withheld.tree)
    assert said in withheld.note


def test_a_line_that_cannot_be_read_is_withheld_by_a_defence_alone() -> None:
    text = '- main [ref=e1]:\n  - button "Pay" [ref=e2]\n  - button "Send money [ref=e3]\n  - link "Home" [ref=e4]'
    tree = AxTree.parse(text)
    assert tree.unread.pairs == ((3, 3),)
    assert "Send money" in focus(text, "Send money").text
    vetted = focus(text, "Send money", defense=True)
    assert "Send money" not in vetted.text
    assert 3 in vetted.flagged
    assert "could not be read" in vetted.note


def test_one_line_does_not_decide_the_dialect() -> None:
    lines = ["- generic [ref=e1]:", *(f"[{n}]<button aria-label=Item {n} />" for n in range(9))]
    assert AxTree.parse("\n".join(lines)).dialect == "browser-use"
    with pytest.raises(ValueError, match="dialect must be"):
        AxTree.parse("x", "markdown")
