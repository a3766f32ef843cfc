"""What a plan will probably cost, agent by agent, with every assumption named."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from focusagent.models.catalog import Prices
from focusagent.models.endpoint import endpoint_of
from focusagent.results.published import find
from focusagent.results.tasks import task_name
from focusagent.studies.backbones import is_scripted
from focusagent.studies.calibration import BACKBONE, EPISODES, calibrate
from focusagent.studies.costs import (
    Bill,
    Step,
    assumed,
    assumed_step,
    break_even,
    mean_steps,
    step_bill,
)
from focusagent.studies.plan import Plan, PlannedAgent

SIZES = {"1k": 1_000, "8k": 8_000, "25k": 25_000, "60k": 60_000, "130k": 130_000}
MINIWOB_PAGE = 150


@dataclass(frozen=True)
class Estimate:
    """One agent's bill over all its episodes. `pays_from` is the least pruning that pays for the retriever, NaN where
    it asks no model or a price is unknown."""

    agent: str
    episodes: int
    steps: float
    page: float
    pruning: float
    bill: Bill
    pays_from: float
    scripted: bool

    @property
    def warning(self) -> str:
        if not math.isnan(self.pays_from) and self.pruning < self.pays_from:
            below = f"expected pruning {self.pruning:.0%} is below the {self.pays_from:.0%} from which it pays"
            return f"{self.agent}: {below}"
        return ""


def estimate(plan: Plan) -> list[Estimate]:
    return [_estimate(plan, agent) for agent in plan.agents]


def _estimate(plan: Plan, agent: PlannedAgent) -> Estimate:
    envs = [env for benchmark in plan.benchmarks.values() for env in benchmark.env_args_list]
    benchmark = task_name(envs[0].task_name).benchmark
    success = _success(_source(benchmark), agent)
    steps = _step_scale(benchmark) * sum(mean_steps(env.max_steps or 10, success) for env in envs) / len(envs)
    page = sum(page_tokens(env.task_name) for env in envs) / len(envs)
    pruned = _pruning(_source(benchmark), agent)
    limit = float(agent.args.flags.max_prompt_tokens)
    asks = getattr(agent.args, "uses_model", False)
    step = _fitted(assumed_step(page, steps), pruned, limit)
    prices = _prices(agent.backbone)
    retriever = _prices(agent.retriever_model or agent.backbone) if asks else None
    known = asks and prices is not None and retriever is not None
    return Estimate(
        agent.agent_name,
        len(envs),
        steps,
        page,
        pruned,
        step_bill(step, pruned, prices, retriever, asks).times(len(envs) * steps),
        break_even(step, prices, retriever) if known and prices and retriever else math.nan,
        is_scripted(agent.backbone),
    )


def _fitted(step: Step, pruned: float, limit: float) -> Step:
    """AgentLab cuts the page from the bottom to fit the prompt's limit."""
    room = max(0.0, limit - step.rest) / max(1e-9, 1 - pruned)
    return step if step.page <= room else Step(**(vars(step) | {"page": room}))


def _prices(model: str) -> Prices | None:
    if is_scripted(model):
        return Prices(0.0, 0.0)
    return endpoint_of(model).prices


def page_tokens(task: str) -> float:
    """The mean page of a task, measured, implied by published dollars, or assumed."""
    name = task_name(task)
    if name.size:
        return SIZES[name.size]
    if name.benchmark == "miniwob":
        return MINIWOB_PAGE
    if name.benchmark in ("workarena", "webarena"):
        return calibrate().page
    return assumed("page_tokens")


def _step_scale(benchmark: str) -> float:
    """On WebArena the papers' dollars for GenericAgent-BT imply fewer steps than success and step limit would, if its
    pages are as long as WorkArena's: the share of the steps that is left."""
    row, rate = (
        find(figure, benchmark=benchmark, agent="generic-bt", backbone="gpt-4.1", table="2")
        for figure in ("cost_total", "success")
    )
    if benchmark != "webarena" or row is None or rate is None:
        return 1.0
    episodes, limit = EPISODES[benchmark]
    full = mean_steps(limit, rate.value / 100)
    tokens, page, history = row.value / episodes / BACKBONE.input, calibrate().page, assumed("history_tokens") / 2
    fixed = assumed("rest_tokens") + page - history
    steps = (math.sqrt(fixed**2 + 4 * history * tokens) - fixed) / (2 * history)
    return steps / full


def _source(benchmark: str) -> str:
    return {"workarena": "workarena_l1"}.get(benchmark, benchmark)


def _success(benchmark: str, agent: PlannedAgent) -> float:
    row = find("success", benchmark=benchmark, agent=agent.name, backbone="gpt-4.1", attack="")
    return row.value / 100 if row else assumed("success")


def _pruning(benchmark: str, agent: PlannedAgent) -> float:
    """Published for this agent on this benchmark or else on WorkArena; GenericAgent-BT's comes from its limit alone."""
    if agent.name.startswith(("generic", "defense-generic")):
        return 0.0
    for where in (benchmark, "workarena_l1"):
        if row := find("pruning", benchmark=where, agent=agent.name, backbone="gpt-4.1"):
            return row.value / 100
    return assumed("pruning")


def assumption_lines(plan: Plan) -> Iterator[str]:
    """What the estimate rests on, each with its source."""
    from focusagent.studies.costs import assumptions

    calibration = calibrate()
    if any("workarena" in benchmark.backends for benchmark in plan.benchmarks.values()):
        yield f"pages of {calibration.page:,.0f} tokens: implied by GenericAgent-BT's published dollars on WorkArena L1"
    if any("webarena" in benchmark.backends for benchmark in plan.benchmarks.values()):
        yield f"pages of {calibration.page:,.0f} tokens as on WorkArena; GenericAgent-BT's published dollars"
        yield f"  on WebArena then imply {_step_scale('webarena'):.0%} of the steps that success and step limit would"
    yield "success and pruning: as published for the agent with GPT-4.1 (docs/numbers.md), else as assumed below"
    yield "prices: litellm's table, without a discount for cached input"
    for item in assumptions().values():
        yield f"{item.name} = {item.value:g}: {item.source}"
    for check in calibration.checks:
        kind = "fitted" if check.calibrated_on else "check"
        figures = f"${check.modelled:.1f}, published ${check.published:g} ({check.error:+.0%})"
        yield f"{kind}: {check.agent} on {check.benchmark}: {figures}"


def display(estimates: list[Estimate]) -> Any:
    """A table for the terminal."""
    from rich.table import Table

    table = Table(title="Estimate (tokens in millions, input + output)")
    table.add_column("agent", overflow="fold")
    for column in ("episodes", "steps", "pruning", "backbone", "retriever", "cost"):
        table.add_column(column, justify="right", no_wrap=True)
    for row in estimates:
        bill = row.bill
        cost = "free" if row.scripted and not bill.cost else _dollars(bill.cost)
        tokens = (
            f"{read / 1e6:.1f} + {said / 1e6:.1f}"
            for read, said in (
                (bill.backbone_input, bill.backbone_output),
                (bill.retriever_input, bill.retriever_output),
            )
        )
        steps = f"{row.episodes * row.steps:,.0f}"
        table.add_row(row.agent, str(row.episodes), steps, f"{row.pruning:.0%}", *tokens, cost)
    return table


def _dollars(value: float) -> str:
    return "n/a" if math.isnan(value) else f"${value:,.2f}"
