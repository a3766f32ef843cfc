"""A rerun answered from disk."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from focusagent.models.cache import AnswerCache
from focusagent.models.client import make_client
from focusagent.models.failure import ConfigError, ModelError

HELLO = [{"role": "user", "content": "Hello"}]


def test_the_same_prompt_is_asked_once_and_costs_once(llm_server: Any, tmp_path: Path) -> None:
    llm_server.answer = "Hi"
    first, second = (make_client("gpt-4.1", cache=AnswerCache(tmp_path)).complete(HELLO) for _ in range(2))
    assert len(llm_server.received) == 1
    assert (second.answer, second.input_tokens, second.cost) == (first.answer, first.input_tokens, 0.0)
    assert "from the cache" in second.label


def test_model_prompt_and_sampling_are_part_of_the_key(llm_server: Any, tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path)
    make_client("gpt-4.1", cache=cache).complete(HELLO)
    make_client("gpt-4.1-mini", cache=cache).complete(HELLO)
    make_client("gpt-4.1", cache=cache).complete([{"role": "user", "content": "Bye"}])
    make_client("gpt-4.1", cache=cache).complete(HELLO, temperature=1.0)
    assert len(llm_server.received) == 4


def test_failures_are_not_kept_and_broken_files_are_missing(llm_server: Any, tmp_path: Path) -> None:
    client = make_client("gpt-4.1", cache=AnswerCache(tmp_path))
    llm_server.then(llm_server.status(401))
    with pytest.raises(ModelError):
        client.complete(HELLO)
    assert not list(tmp_path.iterdir())
    client.complete(HELLO)
    for file in tmp_path.iterdir():
        file.write_text("{")
    client.complete(HELLO)
    assert len(llm_server.received) == 3


def test_a_full_disk_loses_no_answer(llm_server: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither while a file is written nor while it is put in its place."""
    llm_server.answer = "Hi"
    client = make_client("gpt-4.1", cache=AnswerCache(tmp_path / "kept"))

    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    for place, name in ((Path, "write_text"), (os, "replace")):
        with monkeypatch.context() as patched:
            patched.setattr(place, name, full)
            call = client.complete(HELLO)
        assert call.answer == "Hi"
        assert call.cost
        assert not list((tmp_path / "kept").iterdir())


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ConfigError, match="no folder for answers"):
        AnswerCache(tmp_path / "file" / "kept")
