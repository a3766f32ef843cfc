"""What a plan will probably cost, agent by agent, with every assumption named."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from focusagent.models.catalog import Prices, model_info
from focusagent.models.endpoint import endpoint_of
from focusagent.printing import add_row
from focusagent.results.published import Published, find, plain_model
from focusagent.results.tasks import task_name
from focusagent.scripted.name import is_scripted
from focusagent.sizes import TOKENS
from focusagent.studies.calibration import calibrate
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

MINIWOB_PAGE = 150


@dataclass(frozen=True)
class Estimate:
    """One agent's bill over all its episodes. `pays_from` is the least pruning that pays for the retriever, NaN where
    it asks no model or a price is unknown; `guarded` is whether the second model is a guard."""

    agent: str
    episodes: int
    steps: float
    page: float
    pruning: float
    bill: Bill
    pays_from: float
    scripted: bool
    guarded: bool = False

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
    benchmark = benchmark_of(plan)
    success = _success(benchmark, agent)
    share = calibrate().webarena_steps if benchmark == "webarena" else 1.0
    steps = share * sum(mean_steps(env.max_steps or 10, success) for env in envs) / len(envs)
    page = sum(page_tokens(env.task_name) for env in envs) / len(envs)
    pruned = _pruning(benchmark, agent)
    helper = helper_of(agent)
    step = _fitted(assumed_step(page, steps), pruned, float(agent.args.flags.max_prompt_tokens))
    if helper.embeds:
        step = replace(step, retriever_rest=0.0, retriever_output=0.0)
    if helper.embeds or helper.judges:
        step = replace(step, line_numbers=0.0)
    prices = _prices(agent.backbone)
    asked = _prices(helper.model) if helper.model else None
    prunes = helper.model and not helper.judges
    return Estimate(
        agent.agent_name,
        len(envs),
        steps,
        page,
        pruned,
        step_bill(step, pruned, prices, asked, bool(helper.model)).times(len(envs) * steps),
        break_even(step, prices, asked) if prunes and prices and asked else math.nan,
        is_scripted(agent.backbone),
        helper.judges,
    )


@dataclass(frozen=True)
class Helper:
    """The model that an agent asks beside its backbone, "" for none: a retriever, an embedding model, or a guard, which
    judges the page and prunes nothing."""

    model: str = ""
    embeds: bool = False
    judges: bool = False


def helper_of(agent: PlannedAgent) -> Helper:
    if getattr(agent.args, "uses_model", False):
        return Helper(agent.retriever_model or agent.backbone)
    if embedding := getattr(agent.args, "embedding_model", ""):
        return Helper(str(embedding), embeds=True)
    if hasattr(agent.args, "guard_model_args"):
        guard = agent.args.guard_model_args
        return Helper(guard.model_name if guard else agent.backbone, judges=True)
    return Helper()


def _fitted(step: Step, pruned: float, limit: float) -> Step:
    """AgentLab cuts the page from the bottom to fit the prompt's limit."""
    room = max(0.0, limit - step.rest) / max(1e-9, 1 - pruned)
    return step if step.page <= room else Step(**(vars(step) | {"page": room}))


def _prices(model: str) -> Prices | None:
    if is_scripted(model):
        return Prices(0.0, 0.0)
    endpoint = endpoint_of(model)
    return endpoint.prices or _priced_elsewhere(endpoint.model)


PRICED_AS = {"qwen/qwen3-235b-a22b-2507": ("qwen.qwen3-235b-a22b-2507-v1:0", "Amazon Bedrock's")}
"""Model that litellm's table has no price for at the provider -> its row at another, and whose price that is. For
estimates only: what a run costs stays unknown where the provider's own price is."""


def _priced_elsewhere(model: str) -> Prices | None:
    row, _ = PRICED_AS.get(model, ("", ""))
    info = model_info(row) if row else None
    return info.prices if info else None


def page_tokens(task: str) -> float:
    """The mean page of a task, measured, implied by published dollars, or assumed."""
    name = task_name(task)
    if name.size:
        return TOKENS[name.size]
    if name.benchmark == "miniwob":
        return MINIWOB_PAGE
    if name.benchmark in ("workarena", "webarena"):
        return calibrate().page
    return assumed("page_tokens")


def benchmark_of(plan: Plan) -> str:
    """As the published figures name it."""
    envs = (env for benchmark in plan.benchmarks.values() for env in benchmark.env_args_list)
    name = task_name(next(envs).task_name).benchmark
    return {"workarena": "workarena_l1"}.get(name, name)


def _success(benchmark: str, agent: PlannedAgent) -> float:
    row = published_for("success", agent, (benchmark,))
    return row.value / 100 if row else assumed("success")


def _pruning(benchmark: str, agent: PlannedAgent) -> float:
    """Published for this agent on this benchmark or else on WorkArena; GenericAgent-BT at 40k prunes nothing."""
    if prunes_nothing(agent):
        return 0.0
    row = published_for("pruning", agent, (benchmark, "workarena_l1"))
    return row.value / 100 if row else assumed("pruning")


def prunes_nothing(agent: PlannedAgent) -> bool:
    return agent.name.startswith(("generic", "defense-generic")) and agent.name != "generic-bt-5k"


def published_for(figure: str, agent: PlannedAgent, benchmarks: tuple[str, ...]) -> Published | None:
    """With the same retriever model where the papers have it, else with the first they quote; GPT-4.1, no attack."""
    for benchmark in benchmarks:
        for model in ({"retriever_model": plain_model(agent.retriever_model)}, {}):
            where = {"benchmark": benchmark, "agent": agent.name, "backbone": "gpt-4.1", "attack": ""}
            tables: tuple[dict[str, str], ...] = ({"table": "2"}, {})
            for table in tables:  # where two tables print different figures, the main one's
                if row := find(figure, **where | model | table):
                    return row
    return None


def display(estimates: list[Estimate]) -> Any:
    """A table for the terminal."""
    from rich.table import Table

    table = Table(title="Estimate (tokens in millions, input + output)")
    table.add_column("agent", overflow="fold")
    helper = "retriever or guard" if any(row.guarded for row in estimates) else "retriever"
    for column in ("episodes", "steps", "pruning", "backbone", helper, "cost"):
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
        add_row(table, [row.agent, str(row.episodes), steps, f"{row.pruning:.0%}", *tokens, cost])
    return table


def _dollars(value: float) -> str:
    return "n/a" if math.isnan(value) else f"${value:,.2f}"
