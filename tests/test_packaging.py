import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PROJECT = Path(__file__).parents[1]
PACKAGE = PROJECT / "focusagent"
SETTINGS = tomllib.loads((PROJECT / "pyproject.toml").read_text())
PINNED = [
    Requirement(line)
    for line in (PROJECT / "requirements.txt").read_text().splitlines()
    if line.strip() and not line.lstrip().startswith("#")
]


def test_every_folder_with_code_is_a_package() -> None:
    folders = {path.parent for path in PACKAGE.rglob("*.py")}
    assert {str(folder) for folder in folders if not (folder / "__init__.py").is_file()} == set()


def test_every_data_file_is_packaged() -> None:
    patterns = SETTINGS["tool"]["setuptools"]["package-data"]["focusagent"]
    packaged = {path for pattern in patterns for path in PACKAGE.glob(pattern)}
    data = {path for path in PACKAGE.rglob("*") if path.is_file() and path.suffix not in (".py", ".pyc")}
    assert data - packaged == set()


@pytest.mark.parametrize("python", ["3.11", "3.12"])
def test_each_dependency_is_pinned_within_its_bounds(python: str) -> None:
    extras = SETTINGS["project"]["optional-dependencies"].values()
    wanted = [Requirement(text) for text in sum(extras, SETTINGS["project"]["dependencies"])]
    environment = {"python_version": python, "python_full_version": f"{python}.0"}
    pins = {
        canonicalize_name(pin.name): next(iter(pin.specifier)).version
        for pin in PINNED
        if pin.marker is None or pin.marker.evaluate(environment)
    }
    for requirement in wanted:
        if requirement.name == "focusagent":  # an extra that builds on another
            continue
        assert requirement.specifier.contains(pins[canonicalize_name(requirement.name)]), requirement


def test_the_pinned_file_names_no_address_and_no_path() -> None:
    assert all(pin.url is None and len(pin.specifier) == 1 for pin in PINNED)
    text = (PROJECT / "requirements.txt").read_text()
    assert "://" not in text
    assert "--index" not in text
    assert "--find-links" not in text


def test_no_torch_on_any_machine() -> None:
    machines = [{"sys_platform": system} for system in ("linux", "darwin", "win32")]
    for pin in PINNED:
        if canonicalize_name(pin.name) in ("torch", "torchvision"):
            assert pin.marker is not None
            assert not any(pin.marker.evaluate(machine) for machine in machines)


def test_the_command_is_installed() -> None:
    commands = {entry.name: entry.value for entry in metadata.entry_points(group="console_scripts")}
    assert commands["focusagent"] == "focusagent.cli:main"
