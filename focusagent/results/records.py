"""Reading AgentLab's pickles as plain records.

A result folder may come from another version of AgentLab, or from an agent whose code is not installed here, or from
somebody else. So no class in it is imported: each becomes a `Record` that holds its attributes. Only containers,
dates, paths and numpy arrays are rebuilt as what they are."""

from __future__ import annotations

import gzip
import pickle
import zlib
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO, cast

_REBUILT: dict[str, frozenset[str]] = {
    "builtins": frozenset(
        "bytearray bytes complex dict float frozenset int list object range set slice str tuple".split()
    ),
    "collections": frozenset("Counter OrderedDict defaultdict deque".split()),
    "copyreg": frozenset(["_reconstructor"]),
    "datetime": frozenset("date datetime time timedelta timezone".split()),
    "pathlib": frozenset("Path PosixPath PurePosixPath PureWindowsPath".split()),
    "uuid": frozenset(["UUID"]),
    "numpy": frozenset(["dtype", "ndarray"]),
    "numpy.core.multiarray": frozenset(["_reconstruct", "scalar"]),
    "numpy._core.multiarray": frozenset(["_reconstruct", "scalar"]),
    "numpy.core.numeric": frozenset(["_frombuffer"]),
    "numpy._core.numeric": frozenset(["_frombuffer"]),
}


class UnreadableRecord(Exception):
    """The file is missing, cut short, or no pickle."""


class Record:
    """An object of a class that is not imported: its attributes, under the class's name."""

    class_name = ""

    def __init__(self, *args: object, **kwargs: object) -> None:
        self.__dict__.update(kwargs)
        if args:
            self.__dict__["args"] = args

    def __setstate__(self, state: object) -> None:
        parts = state if isinstance(state, tuple) else (state,)
        for part in parts:
            if isinstance(part, dict):
                self.__dict__.update(part)

    def __setitem__(self, key: object, value: object) -> None:
        self.__dict__[str(key)] = value

    def append(self, value: object) -> None:
        self.__dict__.setdefault("args", []).append(value)


class _RecordUnpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if name in _REBUILT.get(module, frozenset()):
            return getattr(import_module(module), name)
        return type(name.rpartition(".")[2], (Record,), {"class_name": f"{module}.{name}"})


def read_record(path: Path) -> Any:
    """The pickled object of a `.pkl` or `.pkl.gz` file, its classes as `Record`. Raises UnreadableRecord."""
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            return _RecordUnpickler(cast(BinaryIO, file)).load()
    except (OSError, EOFError, zlib.error) as error:
        raise UnreadableRecord(f"{path.name}: cut short or missing ({type(error).__name__})") from error
    except Exception as error:  # a damaged pickle can raise anything
        raise UnreadableRecord(f"{path.name}: no readable pickle ({type(error).__name__})") from error


def get(record: object, path: str, default: Any = None) -> Any:
    """`record.a.b`, through records and dictionaries; `default` where a part is missing or None."""
    for part in path.split("."):
        attributes = record if isinstance(record, dict) else getattr(record, "__dict__", {})
        record = attributes.get(part)
        if record is None:
            return default
    return record
