"""AgentLab's loader runs pickles: only those that this user's studies wrote are handed to it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from focusagent.errors import UserError
from focusagent.results.ledger import Ledger
from focusagent.results.seal import is_sealed, seal
from focusagent.studies.xray import first_foreign, run_xray

Write = Callable[..., Path]
STEP: dict[str, Any] = {"axtree_tokens_full": 100, "cost": 0.5}


@pytest.fixture(autouse=True)
def _own_key(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))


def test_an_episode_of_ones_own_is_sealed_until_it_changes(tmp_path: Path, write: Write) -> None:
    folder = write(stats=[STEP])
    Ledger(tmp_path).settle(folder)
    assert first_foreign(tmp_path) is None
    (folder / "step_0.pkl.gz").write_bytes(b"planted")
    assert first_foreign(tmp_path) == folder


def test_a_pickle_that_is_added_breaks_the_seal(tmp_path: Path, write: Write) -> None:
    folder = write(stats=[STEP])
    known = seal(folder)
    assert is_sealed(folder, known)
    (folder / "step_7.pkl.gz").write_bytes(b"planted")
    assert not is_sealed(folder, known)


def test_a_folder_of_somebody_else_is_refused_in_one_line(
    tmp_path: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a ledger of its own, sealed under another key."""
    Ledger(tmp_path).settle(write(stats=[STEP]))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "another"))
    with pytest.raises(UserError, match="--trust") as caught:
        run_xray(tmp_path)
    assert "\n" not in str(caught.value)


def test_what_a_crash_has_left_is_counted_and_not_sealed(tmp_path: Path, write: Write) -> None:
    folder = write(stats=[STEP])
    ledger = Ledger(tmp_path)
    ledger.catch_up()
    assert (ledger.cost, first_foreign(tmp_path)) == (0.5, folder)


def test_without_a_place_for_a_key_nothing_is_sealed(
    tmp_path: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "file"))
    folder = write(stats=[STEP])
    assert seal(folder) == ""
    assert not is_sealed(folder, "")
