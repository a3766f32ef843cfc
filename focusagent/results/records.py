"""Reading AgentLab's pickles as plain records.

A result folder may come from another version of AgentLab, or from an agent whose code is not installed here, or from
somebody else. So no class in it is imported: each becomes a `Record` that holds its attributes. Only containers,
dates, paths and numpy arrays are rebuilt as what they are."""

from __future__ import annotations

import gzip
import io
import pickle
import zlib
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO, cast

MAX_BYTES = 512 * 1024 * 1024
_ARRAYS = ("numpy.core.multiarray", "numpy._core.multiarray")
_BUFFERS = ("numpy.core.numeric", "numpy._core.numeric")
# Containers and values whose size is that of what is read. Their types are built in: a pickle cannot change them.
_REBUILT: dict[str, frozenset[str]] = {
    "builtins": frozenset("complex dict float frozenset int list object set slice str tuple".split()),
    "collections": frozenset("OrderedDict defaultdict deque".split()),
    "datetime": frozenset("date datetime time timedelta timezone".split()),
    "numpy": frozenset(["dtype"]),
    **dict.fromkeys(_ARRAYS, frozenset(["scalar"])),
}
# Classes written in Python, which a pickle could change for the whole process: it gets a new one of its own each time.
_COPIED: dict[str, frozenset[str]] = {
    "collections": frozenset(["Counter"]),
    "pathlib": frozenset("Path PosixPath PurePosixPath PureWindowsPath".split()),
    "uuid": frozenset(["UUID"]),
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
        if name in _COPIED.get(module, frozenset()):
            return type(name, (getattr(import_module(module), name),), {})
        made = _MAKERS.get((module, name))
        if made is not None:
            # A function can be given attributes, its defaults among them, so each pickle has its own.
            return lambda *args: made(*args)
        return type(name.rpartition(".")[2], (Record,), {"class_name": f"{module}.{name}"})


def _reconstructor(kind: Any, base: Any, state: Any) -> Any:
    """What `copyreg` does for classes of the first protocols."""
    made = base.__new__(kind, state) if base is not object else object.__new__(kind)
    if base is not object and base.__init__ is not object.__init__:
        base.__init__(made, state)
    return made


def _bytes(*args: Any) -> bytes:
    """Never from a number, which is a size: a pickle of a few bytes would ask for any amount of memory."""
    if args and not isinstance(args[0], str | bytes | bytearray | list | tuple):
        raise ValueError("bytes of a size")
    return bytes(*args)


def _empty_array(*_: Any) -> Any:
    """An array that its state is yet to fill, as numpy pickles them; a shape given here would be memory for nothing."""
    import numpy

    return numpy.empty((0,), dtype="b")


def _buffer(*args: Any) -> Any:
    return import_module("numpy.core.numeric")._frombuffer(*args)


_MAKERS: dict[tuple[str, str], Any] = {
    ("builtins", "bytes"): _bytes,
    ("builtins", "bytearray"): lambda *args: bytearray(_bytes(*args)),
    ("copyreg", "_reconstructor"): _reconstructor,
    **dict.fromkeys(((module, "_reconstruct") for module in _ARRAYS), _empty_array),
    **dict.fromkeys(((module, "_frombuffer") for module in _BUFFERS), _buffer),
}


def read_record(path: Path) -> Any:
    """The pickled object of a `.pkl` or `.pkl.gz` file, its classes as `Record`. Raises UnreadableRecord, also for what
    unpacks to more than MAX_BYTES."""
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            data = cast(BinaryIO, file).read(MAX_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise UnreadableRecord(f"{path.name}: cut short or missing ({type(error).__name__})") from error
    if len(data) > MAX_BYTES:
        raise UnreadableRecord(f"{path.name}: larger than {MAX_BYTES:,} bytes")
    try:
        return _RecordUnpickler(io.BytesIO(data)).load()
    except EOFError as error:
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
