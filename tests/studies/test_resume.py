"""Going on with a study: which one it is, what is left of it, and nothing in its folder that is run."""

from __future__ import annotations

import gzip
import os
import pickle
from pathlib import Path
from typing import Any

import pytest
import yaml

from focusagent.errors import UserError
from focusagent.folders import out_folder
from focusagent.results import load_results
from focusagent.studies.config import StudyConfig
from focusagent.studies.folders import SETTINGS, new_folder, short_name
from focusagent.studies.plan import make_plan
from focusagent.studies.pools import make_pool
from focusagent.studies.resume import check_same, differences, essence, known_seeds, save_seeds, sole_writer
from focusagent.studies.running import build_study, run_study

BASE: dict[str, Any] = {
    "name": "tiny",
    "benchmark": "longpage_tiny",
    "tasks": ["longpage.forum.*"],
    "repeats": 2,
    "agents": ["focus-local"],
    "backbones": ["scripted"],
}
MORE: dict[str, dict[str, Any]] = {
    "nothing": {},
    "an agent": {"agents": ["generic-bt", "focus-local"]},
    "a repeat": {"repeats": 3},
    "tasks": {"tasks": ["longpage.forum.*", "longpage.shop.*"]},
    "all tasks": {"tasks": []},
    "a backbone": {"backbones": ["scripted", "gpt-4.1"]},
    "an attack": {"attacks": ["none", "popup"]},
    "another name": {"name": "other", "about": "x", "jobs": 7, "backend": "ray"},
    "a default written out": {"max_steps": 0, "split": ""},
}
OTHER: dict[str, tuple[dict[str, Any], str]] = {
    "steps": ({"max_steps": 7}, "max_steps was 0, is 7"),
    "benchmark": ({"benchmark": "miniwob"}, "benchmark was 'longpage_tiny', is 'miniwob'"),
    "fewer repeats": ({"repeats": 1}, "repeats was 2, is 1"),
    "another task": ({"tasks": ["longpage.shop.*"]}, "tasks were"),
    "an agent gone": ({"agents": ["generic-bt"]}, "agent focus-local with scripted is gone or changed"),
    "an override": ({"agents": [{"agent": "focus-local", "reuse": "signals"}]}, "focus-local with scripted"),
    "another backbone": ({"backbones": ["gpt-4.1"]}, "focus-local with scripted"),
    "a context": ({"context": 8000}, "context was 0, is 8000"),
}


def _config(**changes: Any) -> StudyConfig:
    return StudyConfig.model_validate(BASE | changes)


def _begun(folder: Path) -> Path:
    (folder / "study.yaml").write_text(essence(_config()), encoding="utf-8")
    return folder


@pytest.mark.parametrize("what", MORE)
def test_more_work_is_more_work(tmp_path: Path, what: str) -> None:
    check_same(_config(**MORE[what]), _begun(tmp_path))


@pytest.mark.parametrize("what", OTHER)
def test_a_changed_meaning_is_refused_with_the_difference(tmp_path: Path, what: str) -> None:
    changes, said = OTHER[what]
    with pytest.raises(UserError, match="another study") as caught:
        check_same(_config(**changes), _begun(tmp_path))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_study_of_an_earlier_version_is_the_same_with_defaults_filled_in(tmp_path: Path) -> None:
    """It knew neither of the settings that came later."""
    known = yaml.safe_load(essence(_config()))
    for later in ("context", "completion", "ignore_dependencies"):
        del known[later]
    (tmp_path / "study.yaml").write_text(yaml.safe_dump(known))
    check_same(_config(), tmp_path)
    (tmp_path / "study.yaml").write_text(yaml.safe_dump(known | {"gone_since": 1}))
    with pytest.raises(UserError, match="gone_since"):
        check_same(_config(), tmp_path)


@pytest.mark.parametrize("text", ["", "[]", "a: b: c", "x", "{agents: 3}", "!!python/object/apply:os.getcwd []"])
def test_a_copy_that_is_no_study_is_one_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "study.yaml").write_text(text)
    with pytest.raises(UserError):
        check_same(_config(), tmp_path)


def test_differences_are_none_for_itself() -> None:
    assert differences(_config(), _config()) == []


def test_one_more_repeat_keeps_the_seeds_that_were_run(tmp_path: Path) -> None:
    before = make_plan(_config())
    save_seeds(tmp_path, before.plain)
    after = make_plan(_config(repeats=3), known_seeds(tmp_path))

    def pairs(plan: Any) -> set[tuple[str, int]]:
        return {(one.task_name, one.task_seed) for one in plan.plain.env_args_list}

    assert pairs(before) < pairs(after)
    assert len(pairs(after)) == len(pairs(before)) * 3 // 2


@pytest.mark.parametrize("text", ["", "[]", '{"a": 1}', '{"a": ["x", null]}', "[" * 5000])
def test_damaged_seeds_are_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "seeds.json").write_text(text)
    assert not any(known_seeds(tmp_path).values())


def test_a_study_that_runs_is_left_alone(tmp_path: Path) -> None:
    with sole_writer(tmp_path), pytest.raises(UserError, match="being run by another process"), sole_writer(tmp_path):
        pass
    with sole_writer(tmp_path):
        pass


class Payload:
    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> Any:
        return os.mkdir, (str(self.marker),)


def test_nothing_in_a_folder_is_run_when_its_study_goes_on(tmp_path: Path) -> None:
    from pageless import PressingAgentArgs, pageless

    study = build_study([PressingAgentArgs()], pageless(["pageless.a"]), tmp_path)
    run_study(study, jobs=1, backend="sequential")
    marker, folder = tmp_path / "it-ran", Path(study.dir)
    planted = pickle.dumps(Payload(marker))
    episode = next(folder.glob("*/exp_args.pkl")).parent
    (folder / "study.pkl.gz").write_bytes(gzip.compress(planted))
    for path in [*episode.glob("*.pkl.gz")]:
        path.write_bytes(gzip.compress(planted))
    (episode / "exp_args.pkl").write_bytes(planted)
    again = build_study([PressingAgentArgs()], pageless(["pageless.a"]), tmp_path, begun=folder)
    run_study(again, jobs=1, backend="sequential")
    load_results(tmp_path)
    assert not marker.exists()
    assert len(list(folder.glob("_*"))) == 1, "what cannot be read is moved aside and run again"


def test_an_agent_more_runs_alone(tmp_path: Path) -> None:
    from pageless import PressingAgentArgs, pageless

    tasks = ["pageless.a", "pageless.b"]
    study = build_study([PressingAgentArgs()], pageless(tasks), tmp_path)
    run_study(study, jobs=1, backend="sequential")
    agents = [PressingAgentArgs(), PressingAgentArgs(agent_name="other")]
    again = build_study(agents, pageless(tasks), tmp_path, begun=Path(study.dir))
    run_study(again, jobs=1, backend="sequential")
    episodes = load_results(tmp_path).episodes
    assert sorted(zip(episodes["agent"], episodes["task"], strict=True)) == [
        (agent, task) for agent in ("other", "presser") for task in tasks
    ]
    assert len(list(Path(study.dir).glob("*/started"))) == 4


def test_names_that_no_file_system_takes_are_shortened(tmp_path: Path) -> None:
    from pageless import PressingAgentArgs, pageless

    names = [f"{'focus+retriever_kwargs=' * 20}{end}" for end in "ab"]
    agents = [PressingAgentArgs(agent_name=name) for name in names]
    study = build_study(agents, pageless(["pageless.a" + "ü" * 200]), tmp_path)
    run_study(study, jobs=1, backend="sequential")
    episodes = load_results(tmp_path).episodes
    assert sorted(episodes["status"]) == ["done", "done"]
    told = {path.read_text(encoding="utf-8") for path in tmp_path.glob("**/" + SETTINGS)}
    assert len(told) == 2
    assert all(any(name in text for text in told) for name in names)


def test_two_names_that_begin_alike_stay_two() -> None:
    assert short_name("short") == "short"
    one, two = (short_name("日本" * 200 + end) for end in "ab")
    assert one != two
    assert len(one.encode()) <= 180


def test_the_next_free_name_is_taken(tmp_path: Path) -> None:
    from pageless import PressingAgentArgs, pageless

    assert len({new_folder(tmp_path, "a") for _ in range(4)}) == 4
    folders = {build_study([PressingAgentArgs()], pageless(["pageless.a"]), tmp_path).dir for _ in range(3)}
    assert len(folders) == 3


def test_a_place_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for make in (lambda: new_folder(tmp_path / "file", "a"), lambda: out_folder(tmp_path / "file" / "x")):
        with pytest.raises(UserError) as caught:
            make()
        assert "\n" not in str(caught.value)


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("backend", ["joblib", "ray"])
def test_an_episode_that_hangs_ends_alone(tmp_path: Path, backend: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """One worker for two jobs: the second waits longer than an episode may run, and runs all the same."""
    from pageless import PressingAgentArgs, pageless

    monkeypatch.setenv("RAY_raylet_start_wait_time_s", "150")
    monkeypatch.setattr(
        "focusagent.studies.running.make_pool", lambda name, jobs, address="": make_pool(name, 1, address)
    )
    study = build_study([PressingAgentArgs()], pageless(["pageless.hang", "pageless.a"]), tmp_path)
    study.avg_step_timeout = 1
    assert run_study(study, jobs=2, backend=backend) == ""
    episodes = load_results(tmp_path).episodes
    assert dict(zip(episodes["task"], episodes["status"], strict=True))["pageless.a"] == "done"
