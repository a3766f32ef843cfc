import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from focusagent import browser
from focusagent.browser import BrowserError, expected_path, install_browser, started_version
from focusagent.errors import UserError

Script = Callable[[str, str], None]


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def real_browser() -> str:
    return str(expected_path())


@pytest.fixture
def on_path(tmp_path: Path, real_browser: str, monkeypatch: pytest.MonkeyPatch) -> Script:
    """A machine without a browser and without network; the function puts a shell script on its PATH."""
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "browsers"))
    monkeypatch.setenv("PLAYWRIGHT_DOWNLOAD_HOST", "http://127.0.0.1:9")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.defpath}")
    monkeypatch.setattr(browser, "SYSTEM_BROWSERS", ("test-chromium", "test-chrome"))
    (tmp_path / "bin").mkdir()

    def write(name: str, body: str) -> None:
        script = tmp_path / "bin" / name
        script.write_text(f"#!/bin/sh\n{body}\n")
        script.chmod(0o755)

    write("apt-get", "echo 'E: Unable to locate package chromium' >&2; exit 100")
    return write


def test_a_browser_that_starts_is_left_alone(said: list[str]) -> None:
    path = expected_path()
    before = path.stat()
    version = install_browser(said.append)
    assert said == [f"Chromium {version} is there: {path}"]
    assert path.stat() == before


def test_it_can_be_asked_beside_an_open_playwright(playwright: Any) -> None:
    assert str(expected_path()) == playwright.chromium.executable_path
    assert started_version()


def test_a_system_browser_stands_where_playwright_looks(on_path: Script, real_browser: str, said: list[str]) -> None:
    on_path("test-chromium", "echo 'error while loading shared libraries: libnss3.so' >&2; exit 127")
    on_path("test-chrome", f"exec '{real_browser}' \"$@\"")
    with pytest.raises(BrowserError):
        started_version()
    version = install_browser(said.append)
    assert version == started_version()
    assert [line.split(":")[0] for line in said] == [
        "Playwright's own Chromium",
        "  no",
        "A browser of this system",
        f"Chromium {version} starts",
    ]
    assert expected_path().read_text().splitlines()[1] == f'exec {shutil.which("test-chrome")} "$@"'
    assert list(expected_path().parent.iterdir()) == [expected_path()]


def test_debians_package_is_the_last_way(
    on_path: Script, real_browser: str, said: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    installed = tmp_path / "bin" / "test-chrome"
    on_path(
        "apt-get",
        f"""echo "$@" >> '{tmp_path / "asked"}'
        [ "$1" = install ] || exit 0
        printf '#!/bin/sh\\nexec %s "$@"\\n' '{real_browser}' > '{installed}'; chmod +x '{installed}'""",
    )
    assert install_browser(said.append) == started_version()
    assert (tmp_path / "asked").read_text().splitlines() == [
        "update -q",
        "install -q -y --no-install-recommends chromium",
    ]


def test_without_any_way_each_reason_is_said_and_the_error_is_one_line(
    on_path: Script, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    on_path("test-chromium", "echo 'error while loading shared libraries: libnss3.so' >&2; exit 127")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    with pytest.raises(UserError) as failure:
        install_browser(said.append)
    assert "\n" not in str(failure.value)
    assert failure.value.exit_code == 1
    reasons = [line for line in said if line.startswith("  no: ")]
    assert len(reasons) == 3
    assert "playwright install-deps chromium" in reasons[1]
    assert reasons[2] == "  no: E: Unable to locate package chromium"


def test_only_root_asks_apt(on_path: Script, said: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(UserError):
        install_browser(said.append)
    assert said[-1] == "  no: not root; `sudo apt-get install chromium` installs it"
