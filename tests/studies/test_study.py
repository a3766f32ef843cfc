from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from focusagent.errors import UserError
from focusagent.results import load_results
from focusagent.studies.config import load_config
from focusagent.studies.plan import make_plan
from focusagent.studies.preflight import lacks
from focusagent.studies.study import Options, run_config

CONFIGS = Path(__file__).parents[2] / "configs"
TINY = """benchmark: longpage_tiny
tasks: [longpage.forum.upvote_comment.1k]
agents: [focus-local]
backbones: [scripted]
"""


def _run(path: Path, options: Options) -> tuple[int, str]:
    out = io.StringIO()
    return run_config(path, options, Console(file=out, width=200)), out.getvalue()


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.yaml"
    path.write_text(TINY)
    return path


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("workarena_l1", "330 episodes an agent"),
        ("webarena", "381 episodes"),
        ("webarena_reddit_security", "114 episodes"),
    ],
)
def test_a_dry_run_says_episodes_dollars_assumptions_and_what_is_missing(name: str, said: str, no_keys: None) -> None:
    code, out = _run(CONFIGS / f"{name}.yaml", Options(dry_run=True))
    assert code == 0
    assert said in out
    assert "Together: $" in out
    assert "measured on LongPage" in out
    assert "focus (gpt-4.1-mini) $44.0 of $45.1 (-2%)" in out
    assert "missing: no key for 'gpt-4.1': set OPENAI_API_KEY" in out


def test_what_is_missing_is_said_before_anything_starts(tmp_path: Path, no_keys: None) -> None:
    with pytest.raises(UserError, match="nothing was started") as caught:
        _run(CONFIGS / "workarena_l1.yaml", Options())
    assert caught.value.exit_code == 1
    assert not list(tmp_path.iterdir())


def test_webarena_needs_servers_judge_data_and_a_reset(no_keys: None, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("WA_SHOPPING", "WA_REDDIT", "WA_FULL_RESET"):
        monkeypatch.delenv(name, raising=False)
    lines = "\n".join(lacks(make_plan(load_config(CONFIGS / "webarena.yaml"))))
    for remedy in ("export WA_SHOPPING=", "export OPENAI_API_KEY=", "export WA_FULL_RESET="):
        assert remedy in lines


def test_a_budget_is_refused_where_a_price_is_unknown(tmp_path: Path, no_keys: None) -> None:
    path = tmp_path / "study.yaml"
    path.write_text(TINY.replace("[scripted]", "[vllm/my-model]"))
    with pytest.raises(UserError, match="price of focus-local__my-model is unknown") as caught:
        _run(path, Options(max_cost=5.0))
    assert caught.value.exit_code == 2


def test_another_studys_folder_is_not_resumed(tiny: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="holds no study"):
        _run(tiny, Options(resume=tmp_path))
    (tmp_path / "study.yaml").write_text("name: other\n")
    with pytest.raises(UserError, match="another study"):
        _run(tiny, Options(resume=tmp_path))


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_study_runs_reports_and_has_nothing_left_to_resume(tiny: Path, tmp_path: Path) -> None:
    code, out = _run(tiny, Options(jobs=1, backend="sequential"))
    assert code == 0
    assert "1/1 = 100.0 %" in out
    [folder] = tmp_path.glob("*_tiny")
    before = load_results(folder).episodes
    assert _run(tiny, Options(jobs=2, backend="joblib", resume=folder))[0] == 0
    assert list(load_results(folder).episodes["folder"]) == list(before["folder"])
