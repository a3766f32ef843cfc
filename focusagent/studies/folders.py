"""Names of folders that every file system takes, and that are free."""

from __future__ import annotations

import hashlib
import json
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from focusagent.errors import UserError

# File systems take 255 bytes; AgentLab adds a date, a number and an underscore for each attempt it moves aside.
MOST_BYTES = 180
SETTINGS = "settings.json"
_HASH = 10
_SECRET = ("key", "token", "secret", "password")


def short_name(name: str, most: int = MOST_BYTES) -> str:
    """The name, or its beginning and a hash of the whole where it is longer than `most` bytes."""
    if len(name.encode("utf-8", "replace")) <= most:
        return name
    digest = hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:_HASH]
    kept = name.encode("utf-8", "replace")[: most - _HASH - 1].decode("utf-8", "ignore")
    return f"{kept}~{digest}"


def new_folder(parent: Path, name: str) -> Path:
    """A folder that was not there before: of that name, or of the next free one. Raises UserError where none can be
    made."""
    short = short_name(name)
    for number in range(1_000):
        folder = parent / (f"{short}_{number}" if number else short)
        try:
            folder.mkdir(parents=True, exist_ok=False)
        except FileExistsError:
            if not parent.is_dir():
                break
        except OSError as error:
            raise UserError(f"no folder for results at {folder}: {error.strerror or error}") from error
        else:
            return folder
    raise UserError(f"no folder for results at {parent / short}: there is a file, or too many of that name")


def prepare_episode(episode: Any, root: Path) -> None:
    """AgentLab's folder of an episode. Where its name had to be shortened, the whole of it stands in a file."""
    seed = episode.env_args.task_seed
    full = episode.exp_name or f"{episode.agent_args.agent_name}_on_{episode.env_args.task_name}_{seed}"
    shortened = short_name(full) != full
    if shortened:
        episode.exp_name = short_name(full)
    episode.prepare(exp_root=root)
    if shortened:
        settings = {"name": full, "agent": _plain(episode.agent_args), "environment": _plain(episode.env_args)}
        text = json.dumps(settings, indent=1, ensure_ascii=False, default=str)
        (Path(episode.exp_dir) / SETTINGS).write_text(text, encoding="utf-8", errors="replace")


def _plain(value: Any) -> Any:
    """Settings as plain data, without keys."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _setting(field.name, getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, dict):
        return {str(name): _setting(str(name), item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def _setting(name: str, value: Any) -> Any:
    words = name.lower().split("_")
    secret = isinstance(value, str) and value and any(word in words for word in _SECRET)
    return "***" if secret else _plain(value)
