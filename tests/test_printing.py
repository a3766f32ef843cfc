import ast
import csv
import io
import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.table import Table

import focusagent
from focusagent.printing import add_row, csv_cell, csv_text, in_line, plain, printable, say, say_json, show, tell

ANY = st.text(st.characters() | st.characters(categories=["Cc", "Cs"]))
TITLE = "\x1b]0;owned\x07\x1b[2J\x9b31m\r\u202eevil"


@given(ANY)
def test_nothing_that_a_terminal_acts_on_is_left(text: str) -> None:
    shown = printable(text)
    assert not {unicodedata.category(character) for character in shown if character not in "\n\t"} & {"Cc", "Cs"}
    assert printable(shown) == shown
    assert shown.count("\n") == text.count("\n")


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126) | st.sampled_from("\n\té中👍🏽\u200d")))
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert printable(text) == text


def test_sequences_are_shown_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    say(TITLE)
    say(TITLE, error=True)
    captured = capsys.readouterr()
    assert captured.out == captured.err == "\\x1b]0;owned\\x07\\x1b[2J\\x9b31m\\x0d\\u202eevil\n"
    assert in_line("a\n b\x1b") == "a b\\x1b"


def test_json_is_ascii_and_comes_back_whole(capsys: pytest.CaptureFixture[str]) -> None:
    say_json({"text": TITLE + "\x7f"})
    printed = capsys.readouterr().out.rstrip("\n")
    assert printable(printed) == printed
    assert json.loads(printed) == {"text": TITLE + "\x7f"}


def test_markup_is_text_on_a_console() -> None:
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=200, color_system=None)
    table = Table(box=None)
    table.add_column("name")
    table.add_column("state")
    add_row(table, ["[link=https://evil.example]run[/link] \x1b[8m", plain("[bold]x[/]", "red")])
    show(console, table)
    tell(console, "[blink]/tmp/[x]\x1b]8;;https://evil.example\x07[/blink]")
    printed = out.getvalue()
    assert "[link=https://evil.example]run[/link] \\x1b[8m" in printed
    assert "[bold]x[/]" in printed
    assert "[blink]/tmp/[x]\\x1b]8;;https://evil.example\\x07[/blink]" in printed
    assert "\x1b]8" not in printed


@pytest.mark.parametrize(
    "formula", ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", " =1", "\uff1d1", "\r=1"]
)
def test_a_formula_is_text(formula: str) -> None:
    assert csv_cell(formula) == "'" + printable(formula)


@pytest.mark.parametrize("value", [-1, -0.5, None, "-5", "+3.2 %", "-1e-05", "", "a=b", "buy -1"])
def test_numbers_and_words_stay(value: str | float | None) -> None:
    assert csv_cell(value) == value


@given(st.lists(st.lists(ANY | st.integers(), min_size=2, max_size=2)))
def test_no_cell_of_a_file_is_run(rows: list[list[str | int]]) -> None:
    read = list(csv.reader(io.StringIO(csv_text(["a", "b"], rows), newline="")))
    assert len(read) == len(rows) + 1
    for cell in (cell for row in read for cell in row):
        assert cell.strip()[:1] not in ("=", "@") or cell.startswith("'")


ROOT = Path(focusagent.__file__).parent
PRINTS = {"print", "add_row", "writer", "DictWriter", "echo", "secho", "writerow", "writerows", "print_json"}


def _prints(path: Path) -> list[str]:
    """Calls that print or write cells by themselves: methods of consoles, tables and writers, and `print`."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            called = node.func
            method = called.attr if isinstance(called, ast.Attribute) else ""
            streams = method == "write" and ast.unparse(called).startswith(("sys.stdout", "sys.stderr"))
            if (isinstance(called, ast.Name) and called.id == "print") or method in PRINTS or streams:
                found.append(f"{path.relative_to(ROOT)}:{node.lineno}: {ast.unparse(called)}")
    return found


def test_nothing_else_prints_or_writes_cells() -> None:
    """Use `say`, `tell`, `show`, `add_row` and `csv_text` of `focusagent.printing`: they make foreign text safe."""
    elsewhere = [path for path in sorted(ROOT.rglob("*.py")) if path.name != "printing.py"]
    assert [call for path in elsewhere for call in _prints(path)] == []
    assert _prints(ROOT / "printing.py")
