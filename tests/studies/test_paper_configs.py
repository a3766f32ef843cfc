"""Each `reproduces:` configuration lists exactly the agents, models and counts of its table, in plan and dry run."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from focusagent.results.paper_tables import expected_rows
from focusagent.results.published import plain_model
from focusagent.studies import study
from focusagent.studies.config import load_config
from focusagent.studies.plan import Plan, make_plan

CONFIGS = Path(__file__).parents[2] / "configs"
PAPER = sorted(path.stem for path in CONFIGS.glob("*.yaml") if "\nreproduces:" in path.read_text())
L1, WEBARENA, FORUM = ("workarena_l1", 330, 15), ("webarena", 381, 30), ("webarena_reddit", 114, 30)
TABLES = {
    "1": {"retrievers": L1},
    "2": {"backbones": L1, "backbones_webarena": WEBARENA},
    "3": {
        "webarena_reddit_security": FORUM,
        "webarena_reddit_security_claude": FORUM,
        "webarena_reddit_security_qwen": FORUM,
        "webarena_reddit_security_qwen_guard": FORUM,
    },
    "4a": {"prompt_strategies": L1, "prompt_strategies_webarena": FORUM},
    "4b": {"tree_formats": L1},
    "5, 6": {"retriever_models": L1, "backbones_webarena": WEBARENA},
}
OTHERS = {"workarena_l1": L1, "webarena": WEBARENA, "generic_agent_bt": L1, "chunk_sizes": L1}


def planned(name: str) -> Plan:
    return make_plan(load_config(CONFIGS / f"{name}.yaml"))


def test_every_configuration_of_a_paper_is_tested_here() -> None:
    assert set(PAPER) == {name for configs in TABLES.values() for name in configs} | set(OTHERS)


@pytest.mark.parametrize("table", TABLES)
def test_a_tables_configurations_plan_its_rows_and_no_others(table: str) -> None:
    rows = set()
    for name, (benchmark, episodes, steps) in TABLES[table].items():
        plan = planned(name)
        assert set(plan.episodes_an_agent.values()) == {episodes}
        assert {env.max_steps for b in plan.benchmarks.values() for env in b.env_args_list} == {steps}
        for agent in plan.agents:
            for attack in plan.benchmarks:
                model = "" if table == "3" else plain_model(agent.retriever_model)
                shown = attack if "reddit" in benchmark else ""
                rows.add((benchmark, shown, plain_model(agent.backbone), agent.name, model))
    expected = set(expected_rows(table))
    if table == "5, 6":  # WebArena's rows are in Table 2's configuration, beside others
        rows = {row for row in rows if row in expected or row[0] == "workarena_l1"}
    assert rows == expected


@pytest.mark.parametrize("name", OTHERS)
def test_other_configurations_have_the_papers_counts(name: str) -> None:
    _, episodes, steps = OTHERS[name]
    plan = planned(name)
    assert set(plan.episodes_an_agent.values()) == {episodes}
    assert {env.max_steps for b in plan.benchmarks.values() for env in b.env_args_list} == {steps}


@pytest.mark.parametrize("name", PAPER)
def test_a_dry_run_names_every_agent_and_count(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(study, "lacks", lambda plan: [])
    out = io.StringIO()
    console = Console(file=out, width=240)
    code = study.run_config(CONFIGS / f"{name}.yaml", study.Options(None, None, "", True, None, None), console)
    printed, plan = out.getvalue(), planned(name)
    assert code == 0
    for attack, count in plan.episodes_an_agent.items():
        assert f"{count} episodes an agent{'' if attack == 'none' else f' under {attack}'}" in printed
    assert f"{plan.total} episodes in all, {len(plan.agents)} agents" in printed
    assert all(agent.agent_name in printed for agent in plan.agents)
    assert "Together: $" in printed
