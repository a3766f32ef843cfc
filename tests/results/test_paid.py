"""Failed runs in the tables, and names that a spreadsheet or a terminal would act on."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from focusagent.errors import UserError
from focusagent.results import load_results
from focusagent.results.ledger import Ledger
from focusagent.results.report import write_report
from focusagent.results.summary import summarise
from focusagent.results.terminal import print_results

Write = Callable[..., Path]
STEP: dict[str, Any] = {
    "axtree_tokens_full": 100,
    "axtree_tokens_pruned": 40,
    "input_tokens": 50,
    "output_tokens": 5,
    "cost": 0.5,
    "retriever_cost_unknown": 0,
    "backbone_cost_unknown": 0,
}
STUDY = "2026-01-01_10-00-00_a"


def _failed_and_repeated(tmp_path: Path, write: Write) -> None:
    """An episode that cost $5 and failed, and its second run for $1."""
    failed = write(stats=[STEP | {"cost": 5.0}], error="gone")
    ledger = Ledger(tmp_path)
    ledger.settle(failed)
    failed.rename(failed.with_name(f"_{failed.name}"))
    ledger.settle(write(stats=[STEP, STEP]))


def test_a_column_says_what_failed_runs_cost(tmp_path: Path, write: Write) -> None:
    _failed_and_repeated(tmp_path, write)
    for root in (tmp_path, tmp_path / STUDY):
        [row] = summarise(load_results(root))
        assert (row.cost, row.failed_cost) == (1.0, 5.0)
    out = io.StringIO()
    print_results(load_results(tmp_path), Console(file=out, width=200))
    assert "cost $5.00 more" in out.getvalue()
    write_report(tmp_path, tmp_path / "out")
    [table] = (tmp_path / "out").glob("agents_*.csv")
    [line] = csv.DictReader(table.read_text(encoding="utf-8").splitlines())
    dollars = [cell for name, cell in line.items() if name.startswith(("cost", "failed"))]
    assert dollars == ["1.0", "5.0"]


def test_results_without_a_ledger_have_no_failed_runs(tmp_path: Path, write: Write) -> None:
    write(stats=[STEP])
    [row] = summarise(load_results(tmp_path))
    assert (row.cost, row.failed_cost) == (0.5, 0.0)


def test_the_step_at_which_an_episode_failed_is_in_its_cost(tmp_path: Path, write: Write) -> None:
    folder = write(stats=[STEP], error="gone")
    (folder / "calls.jsonl").write_text('{"cost": 0.5}\n{"cost": 0.25}\n')
    Ledger(tmp_path).settle(folder)
    assert list(load_results(tmp_path).episodes["cost"]) == [0.75]


@pytest.mark.parametrize("name", ["=HYPERLINK(1)", "+cmd|' /C calc'!A0", "-2+3", "@SUM(1)", "\t=1", "\uff1d1"])
def test_no_cell_of_a_report_is_a_formula(tmp_path: Path, write: Write, name: str) -> None:
    for agent in (f"{name}__gpt-4.1", "generic-bt__gpt-4.1"):
        write(agent=agent, task="longpage.forum.vote.25k", stats=[STEP, STEP])
    write_report(tmp_path, tmp_path / "out")
    for path in (tmp_path / "out").glob("*.csv"):
        for row in csv.reader(path.read_text(encoding="utf-8").splitlines()):
            assert not any(cell.strip().startswith(name.strip()) for cell in row), path.name


def test_names_are_text_on_a_terminal(tmp_path: Path, write: Write) -> None:
    name = "[link=https://evil.example]run[/link]\x1b[31m"
    write(agent=f"{name}__gpt-4.1", stats=[STEP], task="miniwob.x")
    out = io.StringIO()
    print_results(load_results(tmp_path), Console(file=out, width=200, force_terminal=True))
    said = out.getvalue()
    assert "[link=https://evil.example]run[/link]\\x1b[31m" in said
    assert "\x1b]8" not in said


def test_a_report_that_cannot_be_written_is_one_line(tmp_path: Path, write: Write) -> None:
    write(stats=[STEP])
    (tmp_path / "file").touch()
    for place in (tmp_path / "file", tmp_path / "file" / "x"):
        with pytest.raises(UserError, match="nothing can be written"):
            write_report(tmp_path, place)
