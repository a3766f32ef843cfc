"""Steps from files and from recorded results, and what is wrong with files that hold none."""

from __future__ import annotations

import gzip
import json
import pickle
from pathlib import Path
from typing import Any

import pytest

from focusagent.axtree import LineRanges
from focusagent.coverage.step import Step
from focusagent.coverage.steps import UnreadableSteps, read_steps, spread

TREE = "RootWebArea 'x', url='https://a.shop.test:80/b'\n\t[1] button 'Go'\n\t\tInlineTextBox 'Go'\n\t[2] link 'b'"


def write(path: Path, *records: dict[str, Any]) -> Path:
    text = "".join(json.dumps({"goal": "g", "axtree": TREE} | record) + "\n" for record in records)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


@pytest.mark.parametrize("name", ["steps.jsonl", "steps.jsonl.gz"])
def test_each_kind_of_need(tmp_path: Path, name: str) -> None:
    path = write(
        tmp_path / name,
        {"target_id": 1, "task_id": "shop.buy__seed3", "outcome": "success", "action": "click('1')"},
        {"needed": [2, [4, 4]], "action_error": None, "history": ["noop()", ["why", "click('2')"], {"action": "x"}]},
        {
            "target_texts": ["b"],
            "task_id": "shop.find",
            "site": "a shop",
            "outcome": "success",
            "action_error": "Timeout",
        },
    )
    first, second, third = read_steps(path)
    assert first.target_id == "1"
    assert first.template == "shop.buy"
    assert first.host == "shop.test:80"
    assert (first.cluster, second.cluster, third.cluster) == ("shop.buy", "g", "a shop")
    assert first.clean
    assert "InlineTextBox" not in first.axtree
    assert second.needed == LineRanges.of([(2, 3)])
    assert second.history == (("", "noop()"), ("why", "click('2')"), ("", "x"))
    assert second.template == "g"
    assert not third.clean
    assert not hasattr(first, "action")


@pytest.mark.parametrize(
    ("task", "template"),
    [
        ("webarena.4__seed11", "webarena.4"),
        ("webarena.4", "webarena.4"),
        ("miniwob.click-test-2", "miniwob.click-test-2"),
        ("workarena.task9_seed900_knowledge", "workarena.task9_knowledge"),
        ("", "the goal"),
    ],
)
def test_templates(task: str, template: str) -> None:
    assert Step("the goal", "", task_id=task).template == template


@pytest.mark.parametrize(
    ("record", "complaint"),
    [
        ({"goal": None, "target_id": "1"}, "line 2: 'goal' must be a text"),
        ({}, "line 2: needs one of"),
        ({"target_id": "1", "needed": [1]}, "line 2: needs one of"),
        ({"target_id": "99"}, "line 2: target_id '99' is not on the page"),
        ({"needed": [9]}, r"line 2: needed lines reach outside 1\.\.4"),
        ({"needed": ["x"]}, "line 2: needed must hold line numbers"),
        ({"target_id": "1", "history": [7]}, "line 2: history entry"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, record: dict[str, Any], complaint: str) -> None:
    path = write(tmp_path / "steps.jsonl", {"target_id": "1"}, record)
    with pytest.raises(UnreadableSteps, match=complaint):
        read_steps(path)


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b"\xff\xfe"])
def test_files_without_steps(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "steps.jsonl"
    path.write_bytes(content)
    with pytest.raises(UnreadableSteps, match=r"steps\.jsonl"):
        read_steps(path)


def test_no_file_no_steps_and_no_gzip(tmp_path: Path) -> None:
    (tmp_path / "broken.gz").write_bytes(b"no gzip")
    for path in (tmp_path / "nowhere", tmp_path / "broken.gz", tmp_path):
        with pytest.raises(UnreadableSteps):
            read_steps(path)


def test_a_limit_spreads_over_the_file() -> None:
    steps = [Step(str(i), "") for i in range(10)]
    assert [step.goal for step in spread(steps, 3)] == ["0", "3", "6"]
    assert spread(steps, 99) == steps
    assert spread(steps, None) == steps


@pytest.fixture
def episode(tmp_path: Path) -> Path:
    """Three actions and the page after them, as AgentLab records it."""
    from agentlab.experiments.loop import EnvArgs, ExpArgs, StepInfo

    folder = tmp_path / "study" / "2026_agent_on_task"
    folder.mkdir(parents=True)
    arguments = ExpArgs(agent_args=None, env_args=EnvArgs("shop.buy", task_seed=3))
    (folder / "exp_args.pkl").write_bytes(pickle.dumps(arguments))
    goal = [{"type": "text", "text": "buy it"}, {"type": "image_url", "image_url": "x"}]
    pages = [
        ("click('1')", ""),
        ("fill(bid=\"2\", value='x')", "Timeout"),
        ("send_msg_to_user('done')", ""),
        (None, ""),
    ]
    for number, (action, error) in enumerate(pages):
        observation = {"axtree_txt": TREE, "goal_object": goal, "last_action_error": error}
        info = StepInfo(step=number, obs=observation, action=action, agent_info={"think": f"t{number}"})
        info.reward = float(number == 2)
        with gzip.open(folder / f"step_{number}.pkl.gz", "wb") as file:
            pickle.dump(info, file)
    return folder


def test_results_of_an_agentlab_agent(episode: Path) -> None:
    first, second = read_steps(episode.parent)
    assert (first.target_id, first.goal, first.task_id, first.outcome) == ("1", "buy it", "shop.buy", "success")
    assert first.action_error == "Timeout"
    assert second.target_id == "2"
    assert second.history == (("t0", "click('1')"),)
    assert second.clean


def test_a_truncated_step_costs_itself_and_a_line(episode: Path) -> None:
    path, told = episode / "step_1.pkl.gz", list[str]()
    path.write_bytes(path.read_bytes()[:40])
    [left] = read_steps(episode.parent, told.append)
    assert left.target_id == "1"
    assert not left.clean
    assert len(told) == 1
    assert "step_1.pkl.gz: cut short" in told[0]


def test_an_episode_of_unknown_task_is_left_out(episode: Path) -> None:
    (episode / "exp_args.pkl").write_bytes(b"")
    told: list[str] = []
    with pytest.raises(UnreadableSteps, match="no step"):
        read_steps(episode.parent, told.append)
    assert "exp_args.pkl" in told[0]
