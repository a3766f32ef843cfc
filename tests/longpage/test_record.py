"""Recorded steps: what `focusagent coverage` reads, with needed lines that hold what the policy acted on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from focusagent.coverage.steps import read_steps
from focusagent.longpage.cli import app
from focusagent.longpage.play import PlayedStep
from focusagent.longpage.record import _target
from focusagent.scripted.model import Plan

TASK = "longpage.code.add_label.1k"


def test_recorded_steps_hold_the_lines_acted_on(tmp_path: Path) -> None:
    out = tmp_path / "steps.jsonl"
    done = CliRunner().invoke(app, ["record", "--out", str(out), "--tasks", TASK])
    assert done.exit_code == 0, done.output
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [row["step"] for row in rows] == [0, 1, 2, 3]
    assert [len(row["history"]) for row in rows] == [0, 1, 2, 3]
    for row, step in zip(rows, read_steps(out), strict=True):
        lines = row["axtree"].split("\n")
        needed = [lines[number - 1] for number in step.needed]
        bid = row["action"].split("'")[1]
        assert any(line.strip().startswith(f"[{bid}] ") for line in needed)
        assert len(needed) < len(lines) / 4
        assert row["needed_complete"]
        assert step.outcome == "success"
        assert step.template == TASK


def test_no_task_matches() -> None:
    done = CliRunner().invoke(app, ["record", "--out", "x", "--tasks", "nothing.*"])
    assert done.exit_code != 0


@pytest.mark.parametrize(
    ("action", "bid"),
    [("click('a12')", "a12"), ("fill('7', 'x')", "7"), ("send_msg_to_user('7')", None), ("noop(500)", None)],
)
def test_the_element_acted_on(action: str, bid: str | None) -> None:
    step = PlayedStep("goal", "RootWebArea ''", (), (), Plan([action]), 0.0, "")
    assert _target(step) == ({"target_id": bid} if bid else None)
