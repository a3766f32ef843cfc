"""What was paid, through failures, repeats, crashes and full disks."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from focusagent.models.call_log import FILE as CALLS
from focusagent.results import ledger as module
from focusagent.results.ledger import Ledger, read_attempts

Write = Callable[..., Path]
PAID = {"axtree_tokens_full": 100, "axtree_tokens_pruned": 40, "cost": 0.5, "backbone_cost_unknown": 0}


def test_each_attempt_is_paid_for_once_whoever_reads_it(tmp_path: Path, write: Write) -> None:
    folder = write(stats=[PAID, PAID])
    ledger = Ledger(tmp_path)
    threads = [threading.Thread(target=ledger.settle, args=(folder,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ledger.cost == 1.0
    assert len(ledger.path.read_text().splitlines()) == 1
    again = Ledger(tmp_path)
    again.catch_up()
    assert again.cost == 1.0


def test_a_failed_attempt_that_is_run_again_stays_paid_for(tmp_path: Path, write: Write) -> None:
    failed = write(stats=[PAID], error="gone")
    ledger = Ledger(tmp_path)
    ledger.settle(failed)
    failed.rename(failed.with_name(f"_{failed.name}"))
    ledger.settle(write(stats=[PAID, PAID]))
    for one in (ledger, Ledger(tmp_path)):
        one.catch_up()
        assert one.cost == 1.5
        assert [attempt.status for attempt in one.current] == ["done"]


def test_what_a_crash_has_left_is_found_in_its_folders(tmp_path: Path, write: Write) -> None:
    write(stats=[PAID, PAID])
    cut = write(stats=[PAID], ends=False, seed=1)
    cut.rename(cut.with_name(f"__{cut.name}"))
    ledger = Ledger(tmp_path)
    ledger.catch_up()
    assert ledger.cost == 1.5
    assert {attempt.status for attempt in ledger.attempts} == {"done", "incomplete"}


def test_calls_of_a_step_that_failed_are_paid_for(tmp_path: Path, write: Write) -> None:
    folder = write(stats=[PAID], error="gone")
    lines = [{"cost": 0.5}, {"cost": 0.75, "error": "timeout"}]
    (folder / CALLS).write_text("".join(json.dumps(line) + "\n" for line in lines) + '{"cost": 4')
    ledger = Ledger(tmp_path)
    ledger.settle(folder)
    assert (ledger.cost, ledger.cost_unknown) == (1.25, False)


def test_a_cost_that_is_not_known_is_said(tmp_path: Path, write: Write) -> None:
    ledger = Ledger(tmp_path)
    ledger.settle(write(stats=[PAID | {"backbone_cost_unknown": 1}]))
    assert ledger.cost_unknown
    broken = write(seed=1, stats=[PAID])
    (broken / "exp_args.pkl").write_bytes(b"")
    other = Ledger(tmp_path / "elsewhere")
    other.root = tmp_path
    other.settle(broken)
    assert other.cost_unknown


@given(cut=st.integers(min_value=0, max_value=600))
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_crash_while_a_line_is_written_loses_that_line_at_most(tmp_path: Path, write: Write, cut: int) -> None:
    for path in tmp_path.glob("*.jsonl"):
        path.unlink()
    if not (folders := [path.parent for path in tmp_path.glob("*/*/exp_args.pkl")]):
        folders = [write(stats=[PAID], seed=seed) for seed in range(2)]
    ledger = Ledger(tmp_path)
    for folder in folders:
        ledger.settle(folder)
    whole = ledger.path.read_bytes()
    kept = whole[: len(whole) - min(cut, len(whole))]
    ledger.path.write_bytes(kept)
    after = Ledger(tmp_path)
    assert len(after.attempts) >= kept.count(b"\n")
    after.catch_up()
    assert (after.cost, Ledger(tmp_path).cost) == (1.0, 1.0)


def test_a_full_disk_forgets_nothing(tmp_path: Path, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = write(stats=[PAID]), write(stats=[PAID], seed=1)
    ledger = Ledger(tmp_path)

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(module, "append_line", full)
        ledger.settle(first)
    assert ledger.cost == 0.5
    ledger.settle(second)
    assert Ledger(tmp_path).cost == 1.0


@given(
    line=st.dictionaries(
        st.sampled_from(["id", "folder", "agent", "seed", "reward", "cost", "cost_unknown", "tokens_full", "more"]),
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.lists(st.integers()),
    )
)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_line_is_an_attempt_or_passed_over(tmp_path: Path, line: dict[str, Any]) -> None:
    path = tmp_path / "ledger.jsonl"
    path.write_text(json.dumps(line) + "\n[1]\nx\n", encoding="utf-8")
    for attempt in read_attempts(path):
        assert attempt.cost >= 0
        assert attempt.seed >= 0
