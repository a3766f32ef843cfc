"""What every application's folder must hold, and what its templates promise. Needs no application."""

from __future__ import annotations

from pathlib import Path

import pytest

from focusagent.apps import APPS, AppTaskName, task_names
from focusagent.apps.benchmarks import make_benchmark, metadata, template_of
from focusagent.apps.spec import read_spec
from focusagent.errors import UserError
from focusagent.longpage.template import SLOT
from focusagent.scripted.policies import next_plan, policy_for

TEMPLATES = [pytest.param(name, id=str(name)) for name in task_names()]


@pytest.mark.parametrize("name", APPS)
def test_an_application_is_whole(name: str) -> None:
    app = APPS[name]
    assert app.lock.read_text().strip()
    assert (app.folder / "site" / "seed.py").is_file()
    assert "index-url" not in app.lock.read_text()
    assert "127.0.0.1" in " ".join(app.spec.serve)
    assert len(app.templates) >= 8


def test_a_third_of_the_goals_do_not_name_the_control_and_a_third_need_several_pages() -> None:
    table = metadata(task_names())
    assert table["foreign_label"].mean() >= 1 / 3
    assert (table["pages"] > 1).mean() >= 1 / 3


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_goal_is_asked_in_several_ways_and_each_finds_its_policy(name: AppTaskName) -> None:
    template = template_of(name)
    assert len(template.wordings) >= 2
    slots = [set(SLOT.findall(wording)) for wording in template.wordings]
    assert all(these == slots[0] for these in slots)
    for wording in template.wordings:
        goal = wording.format_map(dict.fromkeys(slots[0], "heron"))
        assert getattr(policy_for(goal), "template", None) is template


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_policy_never_raises_and_acts_on_nothing_without_a_bid(name: AppTaskName) -> None:
    wording = template_of(name).wordings[0]
    goal = wording.format_map(dict.fromkeys(SLOT.findall(wording), "heron"))
    plan = next_plan(goal, [], [], [])
    assert plan[0].partition("(")[0] in ("noop", "send_msg_to_user", "scroll", "report_infeasible", "go_back")


def test_a_benchmark_of_ours_has_a_seed_for_each_repetition() -> None:
    benchmark = make_benchmark("some", task_names()[:2], n_repeats=3)
    assert [args.task_seed for args in benchmark.env_args_list] == [0, 1, 2] * 2
    assert set(benchmark.task_metadata["browsergym_split"]) <= {"train", "test"}


@pytest.mark.parametrize("text", ["apps.oscar", "apps..x", "longpage.shop.buy.1k", "apps.a.b.c"])
def test_names_that_are_none(text: str) -> None:
    with pytest.raises(ValueError, match="not a task name"):
        AppTaskName.parse(text)


def test_a_typo_in_an_application_is_told(tmp_path: Path) -> None:
    path = tmp_path / "app.yaml"
    path.write_text("title: x\nkind: y\nsplit: train\nlicence: z\npackages: []\nseed: [a]\nserve: [b]\nhealht: /\n")
    with pytest.raises(UserError, match=r"app\.yaml: healht: "):
        read_spec(path)
