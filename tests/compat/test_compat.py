import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from focusagent.compat import quieten_ray, use_packaged_encodings, use_packaged_miniwob
from focusagent.compat.nltk_data import RESOURCE, STAND_IN

OFFLINE = """
import socket
def refuse(*args, **kwargs):
    raise OSError("no network in this test")
socket.socket.connect = socket.getaddrinfo = refuse
"""
NO_DATA = "import nltk; nltk.data.path.clear()\n"


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The code in a fresh interpreter without network, and without what this process has set."""
    ours = ("TIKTOKEN_CACHE_DIR", "MINIWOB_URL", "NLTK_DATA", "HF_HUB_OFFLINE")
    kept = {name: value for name, value in os.environ.items() if name not in ours}
    return subprocess.run(
        [sys.executable, "-c", OFFLINE + code], env=kept | environment, capture_output=True, text=True, timeout=120
    )


def test_webarena_cannot_be_imported_offline_without_a_way_out() -> None:
    result = run(NO_DATA + "import browsergym.webarena")
    assert RESOURCE in result.stderr.splitlines()[-1]
    assert result.returncode == 1


def test_whoever_imports_focusagent_first_can_import_studies_and_count_tokens_offline(tmp_path: Path) -> None:
    result = run(
        f"{NO_DATA}import focusagent, agentlab.experiments.study, browsergym.webarenalite, os\n"
        "from focusagent.compat import sentence_data_installed\n"
        "print(os.environ['NLTK_DATA'], nltk.data.path[-1], sentence_data_installed())\n"
        "from browsergym.experiments.utils import count_tokens as theirs\n"
        "from agentlab.llm.llm_utils import count_tokens\nprint(theirs('one two'), count_tokens('one two', 'gpt-4o'))",
        AGENTLAB_EXP_ROOT=str(tmp_path),
    )
    assert result.stdout.splitlines() == [f"{STAND_IN} {STAND_IN} False", "2 2"], result.stderr
    assert "nltk_data" not in result.stderr
    assert result.returncode == 0


def test_nltk_data_that_is_there_is_used_and_nothing_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "tokenizers" / RESOURCE / "english").mkdir(parents=True)
    result = run(
        "import focusagent, browsergym.webarena, nltk, os\nfrom focusagent.compat import sentence_data_installed\n"
        "print(os.environ['NLTK_DATA'], sentence_data_installed())",
        NLTK_DATA=str(tmp_path),
    )
    assert result.stdout.splitlines() == [f"{tmp_path} True"], result.stderr


def test_agentlab_counts_tokens_of_unknown_models_without_the_hub() -> None:
    result = run(
        "import focusagent, transformers\nfrom agentlab.llm import llm_utils\n"
        "asked = []\ntransformers.AutoTokenizer.from_pretrained = asked.append\n"
        "focusagent.compat.know_tokenizer('vendor/told-1'); focusagent.compat.know_tokenizer('gpt-4')\n"
        "llm_utils.get_tokenizer('vendor/untold-1')\n"
        "print(*asked, *(llm_utils.get_tokenizer(name).name for name in ('vendor/told-1', 'gpt-4')))"
    )
    assert result.stdout.split() == ["vendor/untold-1", "o200k_base", "cl100k_base"], result.stderr


@pytest.mark.parametrize("way_out", [use_packaged_encodings, use_packaged_miniwob, quieten_ray])
def test_what_the_user_has_set_stays(way_out: object, monkeypatch: pytest.MonkeyPatch) -> None:
    assert callable(way_out)
    names = ("TIKTOKEN_CACHE_DIR", "MINIWOB_URL", "RAY_LOG_TO_DRIVER", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO")
    for name in names:
        monkeypatch.setenv(name, "mine")
    way_out()
    assert {os.environ[name] for name in names} == {"mine"}


def test_miniwob_pages_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MINIWOB_URL", raising=False)
    use_packaged_miniwob()
    url = os.environ["MINIWOB_URL"]
    assert url.startswith("file:///")
    assert url.endswith("/html/miniwob/")
    assert Path(url.removeprefix("file://"), "click-test.html").is_file()


def test_ray_reads_the_switches_at_import(monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_spec("ray")
    quiet = "from focusagent.compat import quieten_ray; quieten_ray()\n"
    show = "from ray._private import ray_constants; print(ray_constants.RAY_LOG_TO_DRIVER)"
    monkeypatch.delenv("RAY_LOG_TO_DRIVER", raising=False)
    assert run(show).stdout.split() == ["True"]
    assert run(quiet + show).stdout.split() == ["False"]
