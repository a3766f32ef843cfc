"""Pickles of somebody else: read as plain data, whatever they ask for."""

from __future__ import annotations

import gzip
import pickle
import uuid
from collections import Counter, OrderedDict, defaultdict, deque
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PosixPath
from typing import Any

import numpy as np
import pytest

from focusagent.results import records
from focusagent.results.records import UnreadableRecord, get, read_record


def _read(tmp_path: Path, data: bytes) -> Any:
    path = tmp_path / "x.pkl"
    path.write_bytes(data)
    return read_record(path)


@dataclass
class Own:
    name: str
    parts: list[int]


VALUES = [
    {"a": [1, 2.5, None, True, (1, {2}, frozenset([3]))]},
    b"bytes",
    bytearray(b"more"),
    datetime(2026, 1, 1, tzinfo=UTC),
    PosixPath("/tmp/x"),
    uuid.UUID(int=7),
    Counter("aab"),
    OrderedDict(a=1),
    deque([1, 2], maxlen=3),
    defaultdict(list, a=[1]),
    slice(1, 2),
    complex(1, 2),
]


@pytest.mark.parametrize("protocol", range(3, pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_plain_data_comes_back(tmp_path: Path, value: Any, protocol: int) -> None:
    assert _read(tmp_path, pickle.dumps(value, protocol)) == value


@pytest.mark.parametrize("protocol", range(3, pickle.HIGHEST_PROTOCOL + 1))
def test_arrays_and_objects_come_back(tmp_path: Path, protocol: int) -> None:
    array = np.arange(12, dtype=np.uint8).reshape(3, 4)
    assert (_read(tmp_path, pickle.dumps(array, protocol)) == array).all()
    assert _read(tmp_path, pickle.dumps(np.float64(2.5), protocol)) == 2.5
    own = _read(tmp_path, pickle.dumps(Own("x", [1]), protocol))
    assert (get(own, "name"), get(own, "parts"), type(own).__name__) == ("x", [1], "Own")


SIZES = {
    "bytes of a size": b"\x80\x02cbuiltins\nbytes\nJ\xff\xff\xff\x7f\x85R.",
    "a buffer of a size": b"\x80\x02cbuiltins\nbytearray\nJ\xff\xff\xff\x7f\x85R.",
    "a list of a range": b"\x80\x02cbuiltins\nlist\ncbuiltins\nrange\nJ\xff\xff\xff\x7f\x85R\x85R.",
}


@pytest.mark.parametrize("name", SIZES)
def test_a_few_bytes_ask_for_no_memory(tmp_path: Path, name: str) -> None:
    with pytest.raises(UnreadableRecord):
        _read(tmp_path, SIZES[name])


def test_an_array_has_no_size_of_its_own(tmp_path: Path) -> None:
    data = b"\x80\x02cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nJ\xff\xff\xff\x7f\x85U\x01b\x87R."
    assert _read(tmp_path, data).size == 0


@pytest.mark.parametrize("kind", ["collections Counter", "pathlib PosixPath", "uuid UUID"])
def test_no_class_is_changed(tmp_path: Path, kind: str) -> None:
    """A pickle may set attributes of a class that it was handed: (None, {"planted": 1}) is such a state."""
    module, name = kind.split()
    data = b"\x80\x02c" + f"{module}\n{name}\n".encode() + b"N}X\x07\x00\x00\x00plantedK\x01s\x86b."
    with suppress(UnreadableRecord):
        _read(tmp_path, data)
    assert not any(hasattr(known, "planted") for known in (Counter, PosixPath, uuid.UUID))


def test_what_unpacks_to_too_much_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "MAX_BYTES", 10_000)
    path = tmp_path / "step_0.pkl.gz"
    path.write_bytes(gzip.compress(pickle.dumps(b"0" * 100_000)))
    with pytest.raises(UnreadableRecord, match="larger than"):
        read_record(path)
