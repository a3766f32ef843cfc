"""One episode's folder, read into plain data: what the tables need of it and nothing of the pages."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from focusagent.results.records import UnreadableRecord, get, read_record

Row = dict[str, Any]
MAX_TEXT = 300
MAX_TASK_INFO = 40
VERSIONS = ("focusagent", "agentlab", "browsergym-core", "playwright")
_STEP = re.compile(r"step_(\d+)\.pkl\.gz$")


def read_episode(folder: Path) -> Row:
    """`{"episode": {...}, "steps": [{...}], "left_out": [reason]}`. Raises UnreadableRecord where not even the
    arguments can be read; every other damage leaves something out and says so."""
    left_out: list[str] = []
    args = read_record(folder / "exp_args.pkl")
    steps = list(_read_steps(folder, left_out))
    return {
        "episode": _episode(args) | _versions(folder) | _summary(folder, left_out),
        "steps": steps,
        "left_out": left_out,
    }


def step_files(folder: Path) -> list[tuple[int, Path]]:
    """(step number, file), in order."""
    found = ((_STEP.match(path.name), path) for path in folder.glob("step_*.pkl.gz"))
    return sorted((int(match[1]), path) for match, path in found if match)


def _episode(args: object) -> Row:
    name = _text(get(args, "agent_args.agent_name", ""))
    parts = name.split("__")
    return {
        "agent": name,
        "name": parts[0],
        "backbone": _text(get(args, "agent_args.chat_model_args.model_name") or (parts[1] if len(parts) > 1 else "")),
        "retriever": _text(get(args, "agent_args.retriever", "")),
        "obeys": int(bool(get(args, "agent_args.chat_model_args.obeys_page"))),
        "retriever_model": _text(
            get(args, "agent_args.retriever_model_args.model_name") or (parts[2] if len(parts) > 2 else "")
        ),
        "agent_class": type(get(args, "agent_args")).__dict__.get("class_name", ""),
        "max_prompt_tokens": _number(get(args, "agent_args.flags.max_prompt_tokens")),
        "task": _text(get(args, "env_args.task_name", "")),
        "seed": _number(get(args, "env_args.task_seed")),
        "max_steps": _number(get(args, "env_args.max_steps")),
        "started": _text(get(args, "exp_date", "")),
        "attacks": _attacks(get(args, "env_args.attacks")),
    }


def _attacks(value: object) -> str:
    """The names of the attacks an episode was run under, joined by "+"; "" for none."""
    if not value:
        return ""
    items = value if isinstance(value, list | tuple) else [value]
    named = (
        item if isinstance(item, str) else get(item, "name") or get(item, "filled.spec.name", "attack")
        for item in items
    )
    return "+".join(map(_text, named))


def _versions(folder: Path) -> Row:
    try:
        lines = (folder / "package_versions.txt").read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError:
        return {}
    found = dict(line.split("==", 1) for line in lines if "==" in line)
    return {f"version_{name}": _text(found[name]) for name in VERSIONS if name in found}


def _summary(folder: Path, left_out: list[str]) -> Row:
    """AgentLab's own status: done, error, or incomplete where there is no readable summary."""
    try:
        summary = json.loads((folder / "summary_info.json").read_text(encoding="utf-8", errors="replace"))
        if not isinstance(summary, dict):
            raise ValueError("no object")
    except FileNotFoundError:
        return {"status": "incomplete"}
    except (OSError, ValueError):
        left_out.append("summary_info.json: not readable, so the episode counts as incomplete")
        return {"status": "incomplete"}
    error = summary.get("err_msg")
    ended = bool(summary.get("terminated") or summary.get("truncated"))
    return {
        "status": "error" if error else "done" if ended else "incomplete",
        "reward": _number(summary.get("cum_reward")),
        "n_steps": _number(summary.get("n_steps")),
        "truncated": bool(summary.get("truncated")),
        "error": _text(error or ""),
    }


def _read_steps(folder: Path, left_out: list[str]) -> Iterator[Row]:
    for number, path in step_files(folder):
        try:
            row = _step(read_record(path))
        except UnreadableRecord as error:
            left_out.append(str(error))
            continue
        if row:
            yield {"step": number} | row


def _step(info: object) -> Row:
    """Figures of one step; on an episode's last page the agent is not asked, and only `task_info` is left."""
    stats, task_info = get(info, "stats"), get(info, "task_info")
    row: Row = {}
    if isinstance(stats, dict):
        row = {"asked": 1, "action": _text(get(info, "action", "")), "reward": _number(get(info, "reward"))}
        row |= {_text(key): _plain(value) for key, value in stats.items()}
        ours = get(info, "agent_info.extra_info.focusagent", {})
        row |= {key: _text(get(ours, key)) for key in ("fallback", "skip") if get(ours, key)}
    if isinstance(task_info, dict):
        row |= {f"task_info.{key}": value for key, value in _scalars(task_info)}
    return row


def _scalars(info: dict[Any, Any]) -> Iterator[tuple[str, Any]]:
    """The numbers, truths and short texts of `task_info`, two levels deep, a bounded number of them; a list counts as
    its length."""
    flat = [(str(key), value) for key, value in info.items() if not isinstance(value, dict)]
    for outer, inner in info.items():
        if isinstance(inner, dict):
            flat += [(f"{outer}.{key}", value) for key, value in inner.items()]
    counted = [(key, len(value) if isinstance(value, list | tuple) else value) for key, value in flat]
    kept = [(key, value) for key, value in counted if isinstance(value, bool | int | float | str)]
    return ((_text(key), _plain(value)) for key, value in kept[:MAX_TASK_INFO])


def _plain(value: object) -> Any:
    """A JSON value: numbers as they are (None where they are not finite), everything else as bounded text."""
    if isinstance(value, bool) or value is None:
        return value
    number = _number(value)
    return number if number is not None or _is_number(value) else _text(value)


def _is_number(value: object) -> bool:
    """By its class: an object of a foreign file may have any attribute."""
    return hasattr(type(value), "__float__")


def _number(value: object) -> float | int | None:
    """None for what is no number, not finite, or larger than a table's column holds."""
    if not _is_number(value):
        return None
    try:
        number = float(value)  # type: ignore[arg-type]
    except (ValueError, TypeError, OverflowError):
        return None
    if not math.isfinite(number):
        return None
    return int(value) if isinstance(value, bool | int) and abs(value) < 2**53 else number


def _text(value: object) -> str:
    return str(value)[:MAX_TEXT].encode("utf-8", "replace").decode() if value is not None else ""
