"""`focusagent prune` as a user calls it: a process, its output, its exit code."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = "RootWebArea 'Shop'\n\t[1] link 'Cart', url='/cart'\n\tStaticText 'Free shipping'\n\t[2] button 'Pay now'\n"


def focusagent(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-c", "from focusagent.cli import main; main()", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, timeout=120)


def test_a_page_from_standard_input() -> None:
    run = focusagent("prune", "-", "--goal", "pay", "--retriever", "bids", stdin=PAGE.encode())
    assert run.returncode == 0
    assert b"[2] button 'Pay now'" in run.stdout
    assert b"Free shipping" not in run.stdout
    assert b"kept 2 of 4 lines" in run.stderr


def test_json_gives_figures_and_text(tmp_path: Path) -> None:
    file = tmp_path / "page.txt"
    file.write_text(PAGE)
    run = focusagent("prune", str(file), "--goal", "pay", "--retriever", "bids", "--no-simplify", "--json")
    result = json.loads(run.stdout)
    figures = {"tokens_full", "tokens_pruned", "pruning", "ranges", "fallback", "flagged", "text"}
    assert set(result) == figures | {"dialect", "note"}
    assert result["ranges"] == [[2, 2], [4, 4]]
    assert result["fallback"] is None
    assert result["pruning"] == pytest.approx(1 - result["tokens_pruned"] / result["tokens_full"], abs=1e-3)


@pytest.mark.parametrize(
    ("content", "arguments", "code", "said"),
    [
        (None, ["--goal", "x"], 2, "cannot read"),
        (b"\n<!DOCTYPE html><title>x</title>", ["--goal", "x"], 1, "a file whose name ends in .html"),
        (b"", ["--goal", "x"], 1, "is empty"),
        (b"\x7fELF\x00\x01", ["--goal", "x"], 1, "binary"),
        (b"\xff\xfe\xfa", ["--goal", "x"], 1, "not UTF-8"),
        (b"RootWebArea 'x'", [], 2, "--goal"),
        (b"RootWebArea 'x'", ["--goal", " "], 2, "--goal is empty"),
        (b"RootWebArea 'x'", ["--goal", "x", "--retriever", "lokal"], 2, "did you mean 'local'"),
        (b"RootWebArea 'x'", ["--goal", "x", "--keep", "all"], 2, "--keep must be one of"),
        (b"RootWebArea 'x'", ["--goal", "x", "--retriever", "llm"], 2, "needs --model"),
    ],
)
def test_bad_input_is_one_line_and_no_traceback(
    tmp_path: Path, content: bytes | None, arguments: list[str], code: int, said: str
) -> None:
    file = tmp_path / "page.txt"
    if content is not None:
        file.write_bytes(content)
    run = focusagent("prune", str(file), "--retriever", "bids", *arguments)
    lines = run.stderr.decode().strip().split("\n")
    assert run.returncode == code
    assert len(lines) == 1
    assert said in lines[0]
    assert lines[0].startswith("focusagent: ")


@pytest.mark.parametrize("as_url", [True, False])
def test_a_page_opened_in_the_browser(tmp_path: Path, as_url: bool) -> None:
    file = tmp_path / "page.html"
    file.write_text("<title>Shop</title><a href='/cart'>Cart</a><p>Free shipping</p><button>Pay now</button>")
    run = focusagent("prune", file.as_uri() if as_url else str(file), "--goal", "pay", "--retriever", "roles")
    assert run.returncode == 0, run.stderr.decode()
    assert b"button 'Pay now', visible" in run.stdout
    assert b"InlineTextBox" not in run.stdout


def test_an_unreachable_page_is_one_line() -> None:
    run = focusagent("prune", "http://127.0.0.1:9/", "--goal", "pay", "--retriever", "roles")
    assert run.returncode == 1
    assert run.stderr.decode().startswith("focusagent: cannot open http://127.0.0.1:9/")
    assert run.stderr.count(b"\n") == 1
