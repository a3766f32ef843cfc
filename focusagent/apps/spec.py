"""What an application's folder says of itself in `app.yaml`, read strictly: a typo fails loudly."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from focusagent.errors import UserError


class Login(BaseModel):
    """An account of the seeded application, for a person who looks around in it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    user: str
    password: str


class AppSpec(BaseModel):
    """One application. In `schema_commands`, `seed` and `serve`, `{python}`, `{bin}` (its environment's folder of
    programs), `{site}` (its own folder's `site`), `{data}` (the folder that holds all it remembers), `{seed}` and
    `{port}` are filled in; each command is a list of arguments and never reaches a shell."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str
    kind: str  # what sort of software it is, for the table
    split: Literal["train", "test"]
    licence: str  # SPDX name
    packages: tuple[str, ...]  # what `lock.txt` was resolved from
    environment: dict[str, str] = Field(default_factory=dict)  # variables of its processes
    schema_commands: tuple[tuple[str, ...], ...] = ()  # make an empty database; run once
    seed: tuple[str, ...]  # fill it from a seed
    serve: tuple[str, ...]  # run it on a port
    health: str = "/"  # an address that answers with a status below 400 when it is up
    start_seconds: float = 60.0  # after that it counts as not starting
    database: str = ""  # the SQLite file inside `{data}`; "" where everything is in files
    keeps_running: bool = True  # whether its database may be swapped under the running server
    logins: dict[str, Login] = Field(default_factory=dict)
    ignored_tables: tuple[str, ...] = ()  # change by themselves, or from looking at a page
    volatile_columns: dict[str, tuple[str, ...]] = Field(default_factory=dict)  # by table; "*" stands for each table
    needs: str = ""  # what an installation wants besides the packages, for the table


def read_spec(path: Path) -> AppSpec:
    """Raises UserError that names the file and the first thing wrong in it."""
    try:
        return AppSpec.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
    except (OSError, yaml.YAMLError) as error:
        raise UserError(f"{path} cannot be read: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        raise UserError(f"{path}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from error
