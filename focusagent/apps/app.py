"""An application as the project knows it: its folder, what `app.yaml` says, its lock, its templates."""

from __future__ import annotations

import hashlib
import os
from functools import cached_property
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from focusagent.apps.places import cache_folder
from focusagent.apps.spec import AppSpec, read_spec

if TYPE_CHECKING:
    from focusagent.apps.template import AppTemplate

SHARED = Path(__file__).parent / "shared"


class App:
    """One folder beside this file. Nothing is read before it is asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.name = folder.name

    @cached_property
    def spec(self) -> AppSpec:
        return read_spec(self.folder / "app.yaml")

    @property
    def lock(self) -> Path:
        return self.folder / "lock.txt"

    @cached_property
    def lock_hash(self) -> str:
        """Twelve hex digits that tell one lock file from another."""
        return hashlib.sha256(self.lock.read_bytes()).hexdigest()[:12]

    @cached_property
    def schema_hash(self) -> str:
        """Twelve hex digits of all that the empty database comes from: lock, commands, the site's settings."""
        site = [path for path in (self.folder / "site").rglob("*") if path.name not in ("seed.py", "content.py")]
        return _hash_of(self.lock_hash + repr(self.spec.schema_commands), [*site, SHARED / "django_site.py"])

    @cached_property
    def content_hash(self) -> str:
        """Twelve hex digits of all that the seeded database comes from: the schema, the seeding, the words."""
        seeding = [*(self.folder / "site").rglob("*"), SHARED / "words.py"]
        return _hash_of(self.schema_hash + repr(self.spec.seed), seeding)

    @property
    def home(self) -> Path:
        """Its folder in the user's cache."""
        return cache_folder() / self.name

    @property
    def environment(self) -> Path:
        """Its own virtual environment, one per lock file."""
        return self.home / f"env-{self.lock_hash}"

    @cached_property
    def templates(self) -> dict[str, AppTemplate]:
        """Template name -> template, from the modules of its `tasks` folder that define a `TASK`."""
        package = import_module(f"focusagent.apps.{self.name}.tasks")
        modules = [import_module(f"{package.__name__}.{found.name}") for found in iter_modules(package.__path__)]
        tasks = [module.TASK for module in modules if hasattr(module, "TASK")]
        return {task.name: task for task in tasks}

    def command(self, parts: tuple[str, ...], **values: object) -> list[str]:
        """The arguments with their `{slots}` filled in."""
        programs = self.environment / "bin"
        slots = {"python": programs / "python", "bin": programs, "site": self.folder / "site", **values}
        return [part.format_map(slots) for part in parts]

    def variables(self, data: Path) -> dict[str, str]:
        """The environment of its processes: this process's own, less what would change what they import."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "DJANGO"))}
        own = {name: value.format_map({"data": data}) for name, value in self.spec.environment.items()}
        return {
            **kept,
            "PATH": f"{self.environment / 'bin'}{os.pathsep}{kept.get('PATH', '')}",
            "PYTHONPATH": f"{self.folder / 'site'}{os.pathsep}{SHARED}",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONHASHSEED": "0",
            "TZ": "UTC",
            "FOCUSAGENT_APP_DATA": str(data),
            **own,
        }


def _hash_of(text: str, paths: list[Path]) -> str:
    digest = hashlib.sha256(text.encode())
    for path in sorted(paths):
        if path.is_file() and "__pycache__" not in path.parts:
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:12]


def find_apps(parent: Path) -> dict[str, App]:
    """Every folder of `parent` that holds an `app.yaml`, by name."""
    return {path.parent.name: App(path.parent) for path in sorted(parent.glob("*/app.yaml"))}


APPS = find_apps(Path(__file__).parent)
