"""Fuzz of the reader of result folders: damaged, foreign and hostile files, and not one exception.

    python experiments/fuzz_results.py [MINUTES] [--seed N]

Each input is a folder of an episode with files that were cut, changed, swapped or made of random pickle opcodes. What
must hold: `load_results` and the ledger return, nothing outside the folder is made, and no class of Python is changed.
"""

from __future__ import annotations

import argparse
import gzip
import json
import pickle
import random
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from focusagent.results.frames import load_results
from focusagent.results.ledger import Ledger

MARKER = Path(tempfile.gettempdir()) / "focusagent-fuzz-marker"
GLOBALS = (
    "os system|builtins eval|builtins bytearray|builtins list|builtins range|builtins set|builtins getattr"
    "|collections Counter|collections deque|collections OrderedDict|copyreg _reconstructor|pathlib PosixPath"
    "|uuid UUID|datetime datetime|numpy ndarray|numpy dtype|numpy.core.multiarray _reconstruct"
    "|numpy.core.multiarray scalar|numpy.core.numeric _frombuffer|agentlab.experiments.loop ExpArgs"
).split("|")
NASTY: tuple[Any, ...] = (
    None,
    True,
    -1,
    10**400,
    float("nan"),
    float("inf"),
    1e308,
    "",
    "x" * 5_000,
    "\ud800\x1b[31m",
    b"\xff" * 50,
    [],
    {},
    {"__class__": 1, "__float__": 2, "__dict__": {}},
    (1, (2, (3,))),
    {1: 2},
    object,
)


def _value(draw: random.Random, depth: int = 3) -> Any:
    if depth and draw.random() < 0.4:
        size = draw.randrange(4)
        if draw.random() < 0.5:
            return [_value(draw, depth - 1) for _ in range(size)]
        names = ("stats", "cost", "obs", "agent_info", "extra_info", "focusagent", "task_info", "err_msg", "a.b", 7)
        return {draw.choice(names): _value(draw, depth - 1) for _ in range(size)}
    return draw.choice(NASTY)


def _opcodes(draw: random.Random) -> bytes:
    """A pickle of random opcodes that often calls something."""
    out = bytearray(b"\x80\x02")
    for _ in range(draw.randrange(1, 25)):
        kind = draw.randrange(12)
        if kind < 4:
            module, name = draw.choice(GLOBALS).split()
            out += b"c" + module.encode() + b"\n" + name.encode() + b"\n"
        elif kind == 4:
            text = f"touch {MARKER}".encode()
            out += b"X" + len(text).to_bytes(4, "little") + text
        elif kind == 5:
            out += b"J" + draw.choice([0, 1, -1, 2**31 - 1, 10**6]).to_bytes(4, "little", signed=True)
        else:
            out += draw.choice(
                [b"R", b"b", b"\x81", b"}", b"]", b")", *(b"\x85", b"\x86", b"\x87", b"s", b"a", b"0", b"2", b"(")]
            )
    return bytes(out + b".")


def _mutated(data: bytes, draw: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(draw.randrange(1, 6)):
        if not changed:
            break
        place = draw.randrange(len(changed))
        match draw.randrange(3):
            case 0:
                changed[place] = draw.randrange(256)
            case 1:
                del changed[place : place + draw.randrange(1, 30)]
            case 2:
                changed[place:place] = draw.randbytes(draw.randrange(1, 10))
    return bytes(changed)


def _good(draw: random.Random) -> bytes:
    stats = {"axtree_tokens_full": 10, "cost": 0.5, "x": _value(draw)}
    parts = {"stats": stats, "task_info": _value(draw), "action": _value(draw), "agent_info": _value(draw)}
    names = {"agent_name": "a__b", "retriever": _value(draw)}
    args = {"agent_args": names, "env_args": {"task_name": _value(draw), "task_seed": _value(draw)}}
    return pickle.dumps(draw.choice([parts, args, _value(draw)]))


def _file(draw: random.Random) -> bytes:
    match draw.randrange(4):
        case 0:
            return _opcodes(draw)
        case 1:
            return _mutated(_good(draw), draw)
        case 2:
            return draw.randbytes(draw.randrange(60))
        case _:
            return _good(draw)


def _json(draw: random.Random) -> bytes:
    data = {name: _value(draw) for name in ("err_msg", "terminated", "cum_reward", "n_steps", "cost", "id", "folder")}
    text = json.dumps(data, default=str).encode("utf-8", "replace")
    return _mutated(text, draw) if draw.random() < 0.4 else text


def write_folder(root: Path, draw: random.Random) -> None:
    """One study with one or two attempts."""
    for number in range(draw.randrange(1, 3)):
        folder = root / draw.choice(["a", "_a", "b"]) / f"episode{number}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "exp_args.pkl").write_bytes(_file(draw))
        for step in range(draw.randrange(3)):
            data = gzip.compress(_file(draw), 1)
            (folder / f"step_{step}.pkl.gz").write_bytes(_mutated(data, draw) if draw.random() < 0.2 else data)
        for name in ("summary_info.json", "calls.jsonl", "focusagent_index.json"):
            if draw.random() < 0.6:
                (folder / name).write_bytes(_json(draw))
        (folder / "package_versions.txt").write_bytes(draw.randbytes(20) + b"agentlab==\xff\n")
    (root / "ledger.jsonl").write_bytes(b"\n".join(_json(draw) for _ in range(draw.randrange(3))))


def _untouched() -> str:
    """What a pickle could have changed."""
    return repr([sorted(vars(kind)) for kind in (Counter, Path)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("minutes", type=float, nargs="?", default=5.0)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    MARKER.unlink(missing_ok=True)
    before, ends, count = _untouched(), time.monotonic() + 60 * options.minutes, 0
    while time.monotonic() < ends:
        seed = f"{options.seed}/{count}"
        with tempfile.TemporaryDirectory() as place:
            root = Path(place)
            write_folder(root, random.Random(seed))
            try:
                load_results(root)
                Ledger(root).catch_up()
                load_results(root)
            except Exception:
                print(f"input {seed} raised", flush=True)
                raise
        assert not MARKER.exists(), f"input {seed} ran a command"
        assert _untouched() == before, f"input {seed} changed a class"
        count += 1
    print(f"{count} folders read, no exception")


if __name__ == "__main__":
    main()
