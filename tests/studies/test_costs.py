from __future__ import annotations

import math
import re
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from focusagent.models.catalog import Prices
from focusagent.results.published import published
from focusagent.studies.basis import assumption_lines
from focusagent.studies.calibration import BACKBONE, RETRIEVER, calibrate
from focusagent.studies.config import load_config
from focusagent.studies.costs import Step, assumed_step, break_even, paper_step, step_bill
from focusagent.studies.estimates import estimate
from focusagent.studies.plan import make_plan

CONFIGS = Path(__file__).parents[2] / "configs"
positive = st.floats(1, 1e5)


def test_the_papers_break_even_is_20_percent_for_its_prices() -> None:
    assert break_even(paper_step(), BACKBONE, RETRIEVER) == pytest.approx(0.2)


@given(st.floats(1e-7, 1e-4), st.floats(1e-7, 1e-4))
def test_with_the_page_alone_it_is_the_ratio_of_prices(backbone: float, retriever: float) -> None:
    assert break_even(paper_step(), Prices(backbone, 0), Prices(retriever, 0)) == pytest.approx(retriever / backbone)


@given(positive, positive, st.floats(0, 0.5), positive, st.floats(0, 0.9))
def test_at_the_break_even_share_it_makes_no_difference(
    page: float, rest: float, numbers: float, said: float, cached: float
) -> None:
    step = Step(page, rest, 100, numbers, 500, said, cached)
    without = step_bill(step, 0.0, BACKBONE, None, asks=False).cost
    share = break_even(step, BACKBONE, RETRIEVER)
    assume(share <= 1)
    assert step_bill(step, share, BACKBONE, RETRIEVER).cost == pytest.approx(without)


def test_line_numbers_outputs_and_cached_input_raise_it() -> None:
    plain, full = paper_step(7000), assumed_step(7000, 10)
    assert break_even(full, BACKBONE, RETRIEVER) > break_even(plain, BACKBONE, RETRIEVER)
    cached = assumed_step(7000, 10, cached_share=0.5)
    assert break_even(cached, BACKBONE, RETRIEVER) > break_even(full, BACKBONE, RETRIEVER)


def test_an_unknown_price_is_not_zero() -> None:
    assert math.isnan(step_bill(assumed_step(1000, 5), 0.5, None, RETRIEVER).cost)
    assert math.isnan(step_bill(assumed_step(1000, 5), 0.5, BACKBONE, None).cost)


@pytest.mark.parametrize("with_output", [False, True])
def test_calibrated_on_generic_agent_alone_it_is_within_a_quarter_on_focus_agent(with_output: bool) -> None:
    checks = {(check.benchmark, check.name): check for check in calibrate(with_output).checks}
    fitted = [key for key, check in checks.items() if check.calibrated_on]
    assert fitted == [("workarena_l1", "generic-bt")]
    assert abs(checks["workarena_l1", "focus (gpt-4.1-mini)"].error) < 0.25


def test_every_published_dollar_is_checked() -> None:
    rows = [row for row in published() if row.version == "v2" and row.figure in ("cost", "cost_total")]
    agents = {(row.benchmark, row.backbone, row.agent, row.retriever_model) for row in rows}
    checks = {(c.benchmark, c.backbone, c.agent, c.retriever_model): c for c in calibrate().checks}
    assert set(checks) == agents
    errors = {check.name: check.verdict for check in checks.values() if check.benchmark == "workarena_l1"}
    assert (errors["bm25-200"], errors["bm25-400"], errors["focus (gpt-5-mini)"]) == ("+41%", "+20%", "-9%")
    assert errors["focus (qwen3-8b)"] == "n/a: a price is unknown"
    assert checks["workarena_l1", "gpt-4.1", "embedding-200", "text-embedding-3-large"].published == pytest.approx(25.6)


def test_the_variant_at_5k_is_estimated_with_its_published_pruning() -> None:
    for name, pruning in (("backbones", 0.44), ("webarena", 0.38)):
        plan = make_plan(load_config(CONFIGS / f"{name}.yaml"))
        rows = {row.agent.partition("__")[0]: row for row in estimate(plan) if row.agent.endswith("__gpt-4.1")}
        assert (rows["generic-bt-5k"].pruning, rows["generic-bt"].pruning) == (pruning, 0.0)
        assert rows["generic-bt-5k"].bill.cost < rows["generic-bt"].bill.cost
    assert "generic-bt-5k's published pruning: 46 % in v1, 44 % in v2" in _said("backbones")


def test_a_model_without_a_price_of_its_own_is_priced_as_elsewhere_and_it_is_said() -> None:
    plan = make_plan(load_config(CONFIGS / "backbones.yaml"))
    qwen = [row for row in estimate(plan) if "qwen3-235b" in row.agent]
    assert qwen
    assert all(row.bill.cost > 0 for row in qwen if "qwen3.5-9b" not in row.agent)
    assert "price of qwen/qwen3-235b-a22b-2507: Amazon Bedrock's" in _said("backbones")


def test_the_estimate_of_webarena_meets_the_published_dollars_of_generic_agent() -> None:
    rows = {row.agent.partition("__")[0]: row for row in estimate(make_plan(load_config(CONFIGS / "webarena.yaml")))}
    bill = rows["generic-bt"].bill
    assert bill.backbone_input * 2e-6 == pytest.approx(59.0, rel=0.001)


def _said(name: str) -> str:
    return "\n".join(assumption_lines(make_plan(load_config(CONFIGS / f"{name}.yaml"))))


def test_what_is_said_of_webarena_names_which_of_two_fits_it_uses() -> None:
    said = _said("webarena")
    assert re.search(r"not used for estimates\): generic-bt \$\d+\.\d of \$59\.0 \(\+\d+%\)", said)
    assert re.search(r"used above\): generic-bt \$59\.0 of \$59\.0 \(fitted\); generic-bt-5k", said)
    assert "WorkArena L1: generic-bt $55.6 of $55.6 (fitted); generic-bt-5k" in said


def test_a_judge_of_attacks_is_said_to_cost_extra() -> None:
    assert "gpt-5 judges attacks at every step" in _said("webarena_reddit_security")
    assert "judges attacks" not in _said("webarena_reddit_security_claude")


def test_what_is_said_of_longpage_is_about_longpage() -> None:
    said = _said("longpage")
    assert "papers' dollars" not in said
    assert "retriever_output_tokens" not in said
    assert "pages: 10,500 tokens, by size of the tasks" in said


def test_a_guard_and_embeddings_are_priced_too() -> None:
    rows = {row.agent: row for row in estimate(make_plan(load_config(CONFIGS / "retrievers.yaml")))}
    embedding = rows["embedding-200__gpt-4.1__text-embedding-3-small"].bill
    assert 0 < embedding.retriever_cost < 0.05 * embedding.cost
    assert rows["bm25-200__gpt-4.1"].bill.retriever_cost == 0
    security = estimate(make_plan(load_config(CONFIGS / "webarena_reddit_security.yaml")))
    guards = [row for row in security if row.guarded]
    assert [row.agent for row in guards] == ["generic-guard__gpt-4.1"]
    assert guards[0].bill.retriever_cost > 0
    assert not guards[0].warning


def test_a_retriever_model_has_its_own_published_figures() -> None:
    rows = estimate(make_plan(load_config(CONFIGS / "webarena.yaml")))
    assert [row.pruning for row in rows if row.agent.startswith("focus")] == [0.59, 0.53]


def test_a_retriever_that_will_not_pay_is_warned_of() -> None:
    config = load_config(CONFIGS / "tree_formats.yaml")
    warnings = [row.warning for row in estimate(make_plan(config))]
    assert [bool(warning) for warning in warnings] == [False, False, False, True]
    assert "focus-keep-bid-role" in warnings[-1]
