"""Install, seed, serve, put back, clean up: with toy applications that need the standard library only."""

from __future__ import annotations

import json
import os
import subprocess
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from focusagent.apps import orphans, places
from focusagent.apps.app import App, find_apps
from focusagent.apps.install import install, is_installed
from focusagent.apps.orphans import clean_orphans
from focusagent.apps.server import AppServer
from focusagent.apps.snapshot import cookies, snapshot
from focusagent.apps.state import AppState
from focusagent.errors import UserError

APPS = Path(__file__).parent


@pytest.fixture(scope="module", autouse=True)
def _own_places(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Neither the user's cache nor running copies of others."""
    cache, runs = tmp_path_factory.mktemp("cache"), tmp_path_factory.mktemp("runs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FOCUSAGENT_APPS_CACHE", str(cache))
        patch.setattr(places, "MEMORY", runs)
        yield


@pytest.fixture(scope="module")
def toy() -> App:
    app = find_apps(APPS)["toy"]
    install(app)
    return app


@pytest.fixture
def server(toy: App) -> Iterator[AppServer]:
    made = AppServer(toy)
    yield made
    made.stop()


def _get(address: str) -> list[str]:
    with urllib.request.urlopen(address, timeout=30) as response:
        return str(response.read().decode()).split("\n")


def test_an_installation_that_was_cut_short_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "half"
    (folder / "site").mkdir(parents=True)
    (folder / "app.yaml").write_text((APPS / "toy" / "app.yaml").read_text())
    (folder / "lock.txt").write_text("no-such-package @ file:///nowhere/at/all.whl\n")
    half = App(folder)
    with pytest.raises(UserError, match=r"half could not be installed, the next try goes on: .*nowhere"):
        install(half)
    assert not is_installed(half)
    with pytest.raises(UserError, match="run `focusagent apps install half`"):
        snapshot(half, 0)
    (folder / "lock.txt").write_text("")
    assert install(App(folder)).fresh
    assert not install(App(folder)).fresh


def test_each_seed_is_made_once_and_the_same_in_another_process(toy: App) -> None:
    first = snapshot(toy, 1)
    assert snapshot(toy, 1) == first
    again = first.with_name("again")
    first.rename(again)
    assert (snapshot(toy, 1) / "toy.sqlite3").read_bytes() == (again / "toy.sqlite3").read_bytes()
    assert cookies(first, "admin") == [{"name": "who", "value": "admin"}]
    with pytest.raises(UserError, match="knows no login 'ada'"):
        cookies(first, "ada")


def test_no_episode_sees_another(server: AppServer) -> None:
    start = server.reset(0)
    seeded = _get(server.origin)
    assert _get(server.origin + "/add/left%20behind") == [*seeded, "left behind"]
    (server.data / "upload.txt").write_text("left behind")
    state = AppState(start, server.data, server.app.spec)
    assert [change.table for change in state.change()] == ["notes"]
    state.close()
    origin = server.origin
    server.reset(0)
    assert (_get(server.origin), server.origin) == (seeded, origin)
    assert not (server.data / "upload.txt").exists()
    server.reset(1)
    assert _get(server.origin) != seeded


def test_two_copies_do_not_disturb_each_other(toy: App, server: AppServer) -> None:
    other = AppServer(toy)
    server.reset(0)
    other.reset(0)
    _get(other.origin + "/add/mine")
    assert server.origin != other.origin
    assert "mine" not in _get(server.origin)
    other.stop()
    assert not other.running
    assert not other.data.exists()


def test_an_application_that_does_not_start_says_its_last_words() -> None:
    broken = find_apps(APPS)["broken"]
    install(broken)
    server = AppServer(broken)
    with pytest.raises(UserError, match="broken does not start: the disk is upside down"):
        server.reset(0)
    server.stop()


def test_the_application_dies_with_its_owner(server: AppServer) -> None:
    """The owner's end closes the leash's input, however the owner ends."""
    server.reset(0)
    process = server._process
    assert process is not None
    assert process.stdin is not None
    family = [psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)]
    process.stdin.close()
    process.wait(30)
    assert psutil.wait_procs(family, timeout=30)[1] == []


def test_orphans_go_and_only_they() -> None:
    """A process with our mark whose owner is gone; one of an owner that lives; one without a mark."""
    runs = places.run_folder()
    dead, alive = runs / "copy-toy-1-dead", runs / "copy-toy-2-alive"
    dead.mkdir()
    alive.mkdir()
    (dead / orphans.OWNER).write_text(json.dumps({"pid": os.getpid(), "started": 1.0}))
    orphans.sign(alive)
    sleepers = [
        subprocess.Popen(["sleep", "300"], env={**os.environ, **mark})
        for mark in ({orphans.MARK: str(dead)}, {orphans.MARK: str(alive)}, dict[str, str]())
    ]
    try:
        assert clean_orphans() == 1
        assert sleepers[0].wait(30) == -9
        assert [sleeper.poll() for sleeper in sleepers[1:]] == [None, None]
        assert (dead.exists(), alive.exists()) == (False, True)
    finally:
        for sleeper in sleepers:
            sleeper.kill()
            sleeper.wait()
