import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from focusagent import doctor
from focusagent.browser import BrowserError
from focusagent.compat import nltk_data
from focusagent.doctor import WEBARENA_SERVERS, WORKARENA_INSTANCE, Finding, run_doctor

Check = Callable[[], Finding]
WITHOUT_KEYS = ["OPENAI_API_KEY", "AZURE_OPENAI_API_KEY", "OPENROUTER_API_KEY", "ANTHROPIC_API_KEY", "VLLM_API_KEY"]


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing set that studies read, no Hugging Face login, and an own folder for what --fix installs."""
    for name in [*WITHOUT_KEYS, *WEBARENA_SERVERS, *WORKARENA_INSTANCE, "SNOW_INSTANCE_POOL"]:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("huggingface_hub.get_token", lambda: None)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))


def break_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> str:
        raise BrowserError("Executable doesn't exist")

    monkeypatch.setattr(doctor, "started_version", fail)


@pytest.mark.parametrize(
    ("check", "settings"),
    [
        (doctor.model_keys, {"ANTHROPIC_API_KEY": "k"}),
        (doctor.webarena_servers, dict.fromkeys(WEBARENA_SERVERS, "http://host")),
        (doctor.webarena_judge, {"OPENAI_API_KEY": "k"}),
        (doctor.workarena_instance, dict.fromkeys(WORKARENA_INSTANCE, "x")),
        (doctor.workarena_instance, {"SNOW_INSTANCE_POOL": __file__}),
    ],
)
def test_a_need_is_missing_until_its_settings_are_there(
    check: Check, settings: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not check().present
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    assert check().present


@pytest.mark.parametrize("name", WEBARENA_SERVERS)
def test_one_missing_webarena_server_is_a_gap(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for server in set(WEBARENA_SERVERS) - {name}:
        monkeypatch.setenv(server, "http://host")
    assert doctor.webarena_servers().detail == "1 of 7 addresses are not set"


def test_webarenas_own_list_of_servers_is_the_one_checked() -> None:
    from browsergym.webarena.instance import ENV_VARS

    assert [f"WA_{name}" for name in ENV_VARS] == list(WEBARENA_SERVERS)


@pytest.mark.parametrize(
    ("url", "present"), [("", False), ("file:///nowhere/", False), ("not a url", False), ("http://host/miniwob/", True)]
)
def test_miniwob_pages_by_url(url: str, present: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINIWOB_URL", url)
    assert doctor.miniwob_pages().present is present


def test_the_packaged_miniwob_pages_are_found() -> None:
    assert doctor.miniwob_pages().present


def test_a_full_disk_is_a_gap(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("AGENTLAB_EXP_ROOT", str(tmp_path / "not" / "yet"))
    assert str(tmp_path) in doctor.disk_space().detail
    monkeypatch.setattr(doctor, "FREE_GB", 10**9)
    assert doctor.disk_space().stops_demo


def test_here_the_demo_can_run_and_each_gap_has_a_line_with_its_fix(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_doctor() == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "The demo can run: focusagent demo"
    for finding in doctor.examine():
        line = f"{finding.what} ({finding.serves}): {finding.fix}"
        assert (line in lines) is not finding.present


def test_without_a_browser_the_demo_cannot_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    break_browser(monkeypatch)
    assert run_doctor() == 1
    output = capsys.readouterr().out
    assert "Chromium (everything): focusagent install-browser" in output
    assert output.splitlines()[-1] == "The demo cannot run: Chromium"


def test_fix_installs_a_stand_in_where_the_data_cannot_be_downloaded(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refuse(*args: object, **kwargs: object) -> None:
        raise ValueError("Error loading punkt_tab: no network")

    monkeypatch.setattr("nltk.download", refuse)
    said: list[str] = []
    doctor.repair([Finding(f"NLTK's {nltk_data.RESOURCE}", "WebArena", False, "", "")], said.append)
    assert said[1] == "  no: Error loading punkt_tab: no network"
    assert (tmp_path / "nltk_data" / "tokenizers" / nltk_data.RESOURCE).is_dir()


def test_fix_downloads_into_this_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[object] = []
    monkeypatch.setattr("nltk.download", lambda name, download_dir, **kwargs: asked.append((name, download_dir)))
    doctor.repair([Finding(f"NLTK's {nltk_data.RESOURCE}", "WebArena", False, "", "")], lambda line: None)
    assert asked == [(nltk_data.RESOURCE, str(tmp_path / "nltk_data"))]


def test_fix_leaves_what_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    break_browser(monkeypatch)
    said: list[str] = []
    doctor.repair([Finding("Chromium", "everything", True, "", "")], said.append)
    assert said == []
