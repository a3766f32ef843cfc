from __future__ import annotations

import gzip
import json
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from focusagent.results import load_results
from focusagent.results.index import INDEX_NAME

STEP = {"axtree_tokens_full": 1000, "axtree_tokens_pruned": 250, "input_tokens": 900, "retriever_input_tokens": 600}
PAID = STEP | {"cost": 0.51, "retriever_cost": 0.01, "retriever_cost_unknown": 0, "backbone_cost_unknown": 0}
Write = Callable[..., Path]


def test_an_episode_and_its_steps(tmp_path: Path, write: Write) -> None:
    folder = write(stats=[PAID, PAID])
    results = load_results(tmp_path)
    [episode] = results.episodes.to_dict("records")
    assert episode["agent"] == "focus__gpt-4.1__gpt-4.1-mini"
    assert (episode["name"], episode["backbone"], episode["retriever_model"]) == ("focus", "gpt-4.1", "gpt-4.1-mini")
    assert (episode["benchmark"], episode["template"], episode["size"]) == ("longpage", "longpage.forum.vote", "25k")
    assert (episode["success"], episode["status"], episode["seed"]) == (1, "done", 0)
    assert episode["cost"] == pytest.approx(1.02)
    assert list(results.steps["pruning"]) == [0.75, 0.75]
    assert list(results.steps["backbone_input_tokens"]) == [300, 300]
    assert set(results.steps["skip"]) == {"small_page"}
    assert results.left_out == ()
    assert folder.joinpath(INDEX_NAME).exists()


def test_other_agents_have_no_pruning_and_no_known_cost(tmp_path: Path, write: Write) -> None:
    write(agent="GenericAgent-gpt", task="miniwob.click-test", stats=[{"input_tokens": 10, "cost": 0.0}])
    results = load_results(tmp_path)
    assert results.episodes["cost"].isna().all()
    assert results.steps["pruning"].isna().all()
    assert results.steps["axtree_tokens_full"].gt(0).all()


def test_one_unknown_step_makes_the_cost_of_an_episode_unknown(tmp_path: Path, write: Write) -> None:
    write(stats=[PAID, PAID | {"retriever_cost_unknown": 1}])
    assert load_results(tmp_path).episodes["cost"].isna().all()


def test_the_index_serves_until_the_episode_changes(tmp_path: Path, write: Write) -> None:
    folder = write(stats=[STEP], ends=False)
    assert list(load_results(tmp_path).episodes["status"]) == ["incomplete"]
    index = folder / INDEX_NAME
    index.write_text(index.read_text().replace("longpage.forum.vote.25k", "longpage.forum.reply.25k"))
    assert list(load_results(tmp_path).episodes["template"]) == ["longpage.forum.reply"]
    summary = {"cum_reward": 0.0, "n_steps": 1, "terminated": True, "err_msg": None}
    (folder / "summary_info.json").write_text(json.dumps(summary))
    again = load_results(tmp_path).episodes
    assert list(again["template"]) == ["longpage.forum.vote"]
    assert list(again["success"]) == [0]


@pytest.mark.parametrize("damage", ["", "{", "[]", "\0\0"])
def test_a_damaged_index_is_made_anew(tmp_path: Path, write: Write, damage: str) -> None:
    folder = write(stats=[STEP])
    load_results(tmp_path)
    (folder / INDEX_NAME).write_text(damage)
    assert len(load_results(tmp_path).steps) == 1


def test_every_kind_of_damage_leaves_something_out_and_says_so(tmp_path: Path, write: Write) -> None:
    good = write(seed=1, stats=[STEP, STEP])
    truncated = write(seed=2, stats=[STEP, STEP])
    path = truncated / "step_1.pkl.gz"
    path.write_bytes(path.read_bytes()[:40])
    no_args = write(seed=3, stats=[STEP])
    (no_args / "exp_args.pkl").write_bytes(b"\x80\x04no")
    half = write(seed=4, stats=[STEP])
    (half / "summary_info.json").write_text('{"cum_reward": ')
    empty = write(seed=5, stats=[STEP])
    (empty / "step_0.pkl.gz").write_bytes(b"")
    failed = write(seed=6, stats=[], error="TimeoutError: page")
    results = load_results(tmp_path)
    assert len(results.episodes) == 5
    assert dict(zip(results.episodes["seed"], results.episodes["status"], strict=True)) == {
        1: "done",
        2: "done",
        4: "incomplete",
        5: "done",
        6: "error",
    }
    reasons = {left.folder.rpartition("/")[2]: left.reason for left in results.left_out}
    assert set(reasons) == {truncated.name, no_args.name, half.name, empty.name}
    assert good.name not in reasons
    assert failed.name not in reasons
    assert any("with an error" in note for note in results.notes)


def test_a_column_of_texts_is_left_out_and_said(tmp_path: Path, write: Write) -> None:
    folder = write(stats=[STEP])
    with gzip.open(folder / "step_0.pkl.gz") as file:
        step = pickle.load(file)
    step.stats["axtree_tokens_pruned"] = "many"
    with gzip.open(folder / "step_0.pkl.gz", "wb") as file:
        pickle.dump(step, file)
    results = load_results(tmp_path)
    assert results.steps["pruning"].isna().all()
    assert "axtree_tokens_pruned" in results.left_out[0].reason


def test_no_episode_is_no_error(tmp_path: Path) -> None:
    results = load_results(tmp_path)
    assert len(results.episodes) == len(results.steps) == 0
    assert "success" in results.episodes.columns
    assert "pruning" in results.steps.columns


def test_a_missing_folder_is(tmp_path: Path) -> None:
    with pytest.raises(NotADirectoryError, match="no folder of results"):
        load_results(tmp_path / "none")


def test_studies_of_equal_name_are_told_apart_and_earlier_attempts_skipped(tmp_path: Path, write: Write) -> None:
    write("2026-01-01_10-00-00_same", stats=[STEP])
    second = write("2026-01-02_10-00-00_same", stats=[STEP])
    second.rename(second.with_name("_" + second.name))
    write("2026-01-02_10-00-00_same", stats=[STEP])
    results = load_results(tmp_path)
    assert results.episodes["study"].nunique() == 2
    assert len(results.episodes) == 2
    assert any("named 'same'" in note for note in results.notes)
    assert any("more than once" in note for note in results.notes)


def test_what_the_environment_says_of_an_attack_is_in_the_steps(tmp_path: Path, write: Write) -> None:
    write(stats=[STEP], task_info={"attack": {"success": True, "name": "banner"}, "page": {"deep": {"x": 1}}})
    steps = load_results(tmp_path).steps
    assert steps["task_info.attack.success"].tolist()[-1] == 1
    assert steps["task_info.attack.name"].tolist()[-1] == "banner"


def test_classes_that_are_not_installed_are_no_hindrance_and_are_not_imported(tmp_path: Path, write: Write) -> None:
    folder = write(stats=[STEP])
    args = folder / "exp_args.pkl"
    args.write_bytes(args.read_bytes().replace(b"generic_agent.generic_agent", b"generic_agent.generic_gone_"))
    code = f"""
import sys
from focusagent.results import load_results
results = load_results({str(tmp_path)!r})
assert len(results.episodes) == 1 and not results.left_out, results
assert "agentlab" not in sys.modules and "browsergym" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_pickle_that_would_run_code_is_only_read(tmp_path: Path, write: Write) -> None:
    folder = write(stats=[STEP])
    target = tmp_path / "harmed"
    payload = f"cos\nsystem\n(S'touch {target}'\ntR.".encode()
    with gzip.open(folder / "step_0.pkl.gz", "wb") as file:
        file.write(payload)
    load_results(tmp_path)
    assert not target.exists()
