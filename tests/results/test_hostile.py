"""A page, a model or an error that writes markup reaches the report as text, seen by a real browser."""

from __future__ import annotations

import gzip
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from focusagent.results.examples import example_sections
from focusagent.results.report import Report, write_report

Write = Callable[..., Path]
STATS = {
    "axtree_tokens_full": 1000,
    "axtree_tokens_pruned": 400,
    "retriever_calls": 1,
    "sanitized_lines": 2,
    "input_tokens": 900,
    "output_tokens": 10,
}


def _record(folder: Path, nasty: str) -> None:
    """What the page and the models said at each step, in the place of what the fixture wrote."""
    page = f"RootWebArea '{nasty}'\n\t[1] button '{nasty}'\n\tStaticText '{nasty}'"
    ours = {
        "pruned_axtree": page,
        "calls": [{"messages": [{"role": nasty, "content": nasty}], "answer": nasty}],
        "flagged": [[2, 3]],
        "ranges": [[1, 2]],
        "removed": 1,
        "fallback": nasty,
        "skip": nasty,
    }
    for path in folder.glob("step_*.pkl.gz"):
        with gzip.open(path) as file:
            info: Any = pickle.load(file)
        info.obs = {"axtree_txt": page, "goal": nasty, "last_action_error": nasty}
        info.action = nasty
        if info.agent_info:
            info.agent_info.extra_info = {"focusagent": ours}
            info.agent_info.think = nasty
        info.task_info = {nasty: nasty}
        with gzip.open(path, "wb") as file:
            pickle.dump(info, file)


@pytest.fixture
def reported(tmp_path: Path, write: Write, nasty: str) -> Report:
    name = nasty.replace("/", "|")[:60]
    for seed in range(2):
        folder = write(f"2026-01-01_10-00-00_{name}", agent=f"focus{name}__gpt-4.1", seed=seed, stats=[STATS] * 2)
        _record(folder, nasty)
    write(agent="generic-bt__gpt-4.1", task=f"a/{name}", stats=[STATS], error=f"Sorry\n{nasty}\n{nasty}")
    damaged = write(agent="generic-bt__gpt-4.1", stats=[STATS | {nasty: 1}])
    (damaged / "step_0.pkl.gz").write_bytes(b"")
    (damaged / "package_versions.txt").write_text(f"agentlab=={nasty}", encoding="utf-8", errors="replace")
    return write_report(tmp_path, tmp_path / "out", example_sections(tmp_path))


def test_nothing_that_was_recorded_is_markup(reported: Report, look_at: Callable[[Path], Any], nasty: str) -> None:
    seen = look_at(reported.page)
    assert seen.harm == []
    assert nasty[:20] in seen.text
    assert reported.figures > 0


def test_files_stay_in_their_folder(reported: Report, tmp_path: Path) -> None:
    assert {path.parent for path in tmp_path.rglob("*.csv")} == {reported.folder}
