"""What a cost estimate rests on, in lines for the terminal: only what bears on the plan at hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from focusagent.models.endpoint import endpoint_of
from focusagent.results.published import find
from focusagent.scripted.name import is_scripted
from focusagent.studies.calibration import Check, calibrate
from focusagent.studies.costs import assumptions
from focusagent.studies.estimates import PRICED_AS, benchmark_of, helper_of, page_tokens, prunes_nothing, published_for
from focusagent.studies.plan import Plan

OF_THE_PAPERS = {"workarena_l1": "WorkArena L1", "webarena": "WebArena"}


def assumption_lines(plan: Plan) -> Iterator[str]:
    """Each assumption with its source, then the model beside the papers' dollars where the benchmark is theirs."""
    benchmark, rows = benchmark_of(plan), assumptions()
    yield _pages(plan, benchmark)
    if benchmark == "webarena":
        yield (
            f"steps: {calibrate().webarena_steps:.0%} of what success and step limit would give, so that"
            " GenericAgent-BT's published dollars on WebArena come out"
        )
    yield from _figures(plan, benchmark)
    yield "prices: litellm's table, without a discount for cached input"
    names = {name for agent in plan.agents for name in (agent.backbone, helper_of(agent).model)}
    models = {endpoint_of(name).model for name in names if name and not is_scripted(name)}
    for model in sorted(models & set(PRICED_AS)):
        yield f"price of {model}: {PRICED_AS[model][1]}, as the table has none for the provider"
    for name in ("rest_tokens", "history_tokens", "output_tokens", "solved_step_share"):
        yield f"{name} = {rows[name].value:g}: {rows[name].source}"
    helpers = [helper_of(agent) for agent in plan.agents]
    if any(helper.model and not helper.embeds for helper in helpers):
        for name in ("retriever_rest_tokens", "retriever_output_tokens", "line_numbers"):
            yield f"{name} = {rows[name].value:g}: {rows[name].source}"
    if any(helper.judges for helper in helpers):
        yield "a guard is asked at every step and priced as a retriever that reads the whole page"
    if plan.config.attack_judge:
        yield f"{plan.config.attack_judge} judges attacks at every step, in a few hundred tokens: not in these dollars"
    if benchmark in OF_THE_PAPERS:
        yield from _against_the_papers(benchmark)


def _pages(plan: Plan, benchmark: str) -> str:
    envs = [env for under in plan.benchmarks.values() for env in under.env_args_list]
    mean = sum(page_tokens(env.task_name) for env in envs) / len(envs)
    if benchmark == "workarena_l1":
        return f"pages: {mean:,.0f} tokens, implied by GenericAgent-BT's published dollars on WorkArena L1"
    if benchmark == "webarena":
        return f"pages: {mean:,.0f} tokens, as GenericAgent-BT's published dollars on WorkArena L1 imply"
    sized = all(page_tokens(env.task_name) != assumptions()["page_tokens"].value for env in envs)
    return f"pages: {mean:,.0f} tokens, {'by size of the tasks' if sized else assumptions()['page_tokens'].source}"


def _figures(plan: Plan, benchmark: str) -> Iterator[str]:
    """Where success and pruning come from, agent by agent where they are only assumed."""
    if any(agent.name == "generic-bt-5k" for agent in plan.agents) and benchmark in OF_THE_PAPERS:
        versions = (find("pruning", (version,), agent="generic-bt-5k", benchmark=benchmark) for version in ("v1", "v2"))
        said = ", ".join(f"{row.value:g} % in {row.version}" for row in versions if row)
        yield f"generic-bt-5k's published pruning: {said}"
    for figure, benchmarks in (("success", (benchmark,)), ("pruning", (benchmark, "workarena_l1"))):
        pruning = figure == "pruning"
        agents = [agent for agent in plan.agents if not (pruning and prunes_nothing(agent))]
        rows = {agent.name: published_for(figure, agent, benchmarks) for agent in agents}
        found = dict.fromkeys(OF_THE_PAPERS[row.benchmark] for row in rows.values() if row)
        if found:
            where = " and ".join(found)
            yield f"{figure}: as published for the agent with GPT-4.1 on {where} (docs/measured/published.md)"
        if unknown := [name for name, row in rows.items() if row is None]:
            assumed = assumptions()[figure]
            of = f" of {', '.join(unknown)}" if found else ""
            yield f"{figure}{of} = {assumed.value:g}: {assumed.source}"


def _against_the_papers(benchmark: str) -> Iterator[str]:
    """Fit and errors. Where the estimate corrects the fit, both are given, and which of them it uses."""
    fit = calibrate()
    yield "the model beside the papers' dollars, in their reading (input tokens only; the table above adds outputs):"
    for name, title in OF_THE_PAPERS.items():
        unused = "" if name == "workarena_l1" else ", by WorkArena's fit alone (not used for estimates)"
        yield f"  {title}{unused}: {_said(check for check in fit.checks if check.benchmark == name)}"
    if benchmark == "webarena":
        yield f"  WebArena, with {fit.webarena_steps:.0%} of the steps (used above): {_said(fit.corrected)}"


def _said(checks: Iterable[Check]) -> str:
    return "; ".join(
        f"{check.name} ${check.modelled:.1f} of ${check.published:.1f} ({check.verdict})" for check in checks
    )
