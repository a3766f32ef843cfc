"""The rules that all templates keep, and the names, metadata and benchmarks made of them."""

from __future__ import annotations

import json
import pickle
import random
import re
import subprocess
import sys
from collections import Counter

import pytest
from browsergym.experiments.benchmark import DEFAULT_BENCHMARKS
from typer.testing import CliRunner

from focusagent.longpage import SITES, TaskName, make_benchmark, task_names, tasks_of
from focusagent.longpage.benchmarks import max_steps
from focusagent.longpage.cli import app
from focusagent.longpage.sites import template_of
from focusagent.scripted.policies import policy_for
from focusagent.sizes import SIZES

TEMPLATES = [(site, task) for site in SITES for task in SITES[site].tasks]


def test_there_are_enough_of_every_kind() -> None:
    templates = [SITES[site].tasks[task] for site, task in TEMPLATES]
    assert len(templates) >= 24
    assert {t.kind for t in templates} >= {"sort", "filter", "form", "order", "chart", "knowledge", "menu"}
    assert {t.kind for t in templates} >= {"navigation", "writing", "seeking"}
    assert sum(t.pages > 1 for t in templates) >= len(templates) / 3
    assert sum(t.foreign_label for t in templates) >= 0.3 * len(templates)


@pytest.mark.parametrize(("site", "task"), TEMPLATES)
def test_goals_lead_back_to_their_own_policy_with_their_own_slots(site: str, task: str) -> None:
    template = SITES[site].tasks[task]
    for seed in range(8):
        draw = random.Random(seed)
        posed = template.pose(SITES[site].state(seed, "8k"), draw)
        for wording in template.wordings:
            goal = wording.format_map(posed.slots)
            policy = policy_for(goal)
            assert policy is not None
            assert policy.template is template  # type: ignore[attr-defined]
            match = policy.pattern.fullmatch(goal)  # type: ignore[attr-defined]
            assert match.groupdict() == {slot: posed.slots[slot] for slot in match.groupdict()}
            assert not re.search(r"[{}]", goal)


@pytest.mark.parametrize(("site", "task"), TEMPLATES)
def test_seeds_ask_for_different_things(site: str, task: str) -> None:
    template = SITES[site].tasks[task]
    goals = Counter[str]()
    for seed in range(12):
        draw = random.Random(seed)
        goals[template.goal(template.pose(SITES[site].state(seed, "1k"), draw), draw)] += 1
    assert len(goals) >= 6


def test_names_go_round_and_nonsense_is_refused() -> None:
    for name in task_names():
        assert TaskName.parse(str(name)) == name
    for wrong in ("", "longpage", "longpage.a.b", "longpage.a.b.2k", "longpage.a.b.1k.x", "miniwob.a.b.1k"):
        with pytest.raises(ValueError, match=r"LongPage|unknown size"):
            TaskName.parse(wrong)


def test_benchmarks_hold_their_sizes_splits_and_limits() -> None:
    longpage, tiny, large = (DEFAULT_BENCHMARKS[name]() for name in ("longpage", "longpage_tiny", "longpage_xl"))
    assert {e.task_name.split(".")[3] for e in longpage.env_args_list} == {"1k", "8k", "25k"}
    assert {e.task_name.split(".")[3] for e in large.env_args_list} == {"60k", "130k"}
    assert len(tiny.env_args_list) == len(TEMPLATES)
    test = longpage.subset_from_split("test")
    assert {e.task_name.split(".")[1] for e in test.env_args_list} == {"code"}
    assert longpage.subset_from_glob("site", "shop").env_args_list
    for env_args in longpage.env_args_list:
        assert env_args.max_steps >= 3 * template_of(TaskName.parse(env_args.task_name)).steps
    seeds = [e.task_seed for e in make_benchmark("two", tasks_of(["1k"])[:1], n_repeats=2).env_args_list]
    assert seeds == [0, 1]


def test_unpickling_a_workers_arguments_registers_everything_there() -> None:
    (env_args,) = make_benchmark("one", [TaskName.parse("longpage.shop.buy.1k")]).env_args_list
    program = (
        "import pickle, sys; args = pickle.loads(sys.stdin.buffer.read()); import gymnasium;"
        "from focusagent.scripted.policies import policy_for;"
        "print(args.task_name, 'browsergym/' + args.task_name in gymnasium.registry, policy_for('Click button ONE.'))"
    )
    run = subprocess.run([sys.executable, "-c", program], input=pickle.dumps(env_args), capture_output=True, check=True)
    assert run.stdout.decode().startswith("longpage.shop.buy.1k True _Policy(")


def test_list_prints_every_task() -> None:
    rows = json.loads(CliRunner().invoke(app, ["list", "--json"]).stdout)
    assert [row["task_name"] for row in rows] == [str(name) for name in task_names()]
    assert all(row["max_steps"] == max_steps(TaskName.parse(row["task_name"])) for row in rows)
    lines = CliRunner().invoke(app, ["list"]).stdout.splitlines()
    assert len(lines) == len(rows)
    assert {row["size"] for row in rows} == set(SIZES)
