"""The command as a whole: its help, and one exit code for an input that is not there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


def focusagent(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from focusagent.cli import main; main()", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("arguments", [[], ["longpage"]])
def test_bare_it_shows_its_help_as_laid_out(arguments: list[str]) -> None:
    bare, asked = focusagent(*arguments), focusagent(*arguments, "--help")
    assert bare.returncode == asked.returncode == 0
    assert bare.stdout == asked.stdout
    assert len(bare.stdout.splitlines()) > 8
    assert not bare.stderr


@pytest.mark.parametrize(
    "arguments",
    [["prune", "NONE", "--goal", "x"], ["coverage", "NONE"], ["report", "NONE"], ["xray", "NONE"], ["study", "NONE"]],
    ids=lambda arguments: arguments[0],
)
def test_an_input_that_is_not_there_is_wrong_use(tmp_path: Path, arguments: list[str]) -> None:
    missing = str(tmp_path / "none")
    run = focusagent(*(missing if argument == "NONE" else argument for argument in arguments))
    assert run.returncode == 2
    assert len(run.stderr.splitlines()) == 1
    assert missing in run.stderr
