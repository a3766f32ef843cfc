"""The cost model against the papers' dollars: fitted on GenericAgent-BT on WorkArena L1 alone, checked on the rest."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from focusagent.models.catalog import Prices
from focusagent.results.published import Published, find, published
from focusagent.studies.costs import Step, assumed, assumed_step, mean_steps, page_tokens_of, step_bill, without_output

BACKBONE = Prices(2e-6, 8e-6, 0.5e-6)
RETRIEVER = Prices(0.4e-6, 1.6e-6, 0.1e-6)
BACKBONES = {"gpt-4.1": BACKBONE, "claude-3.7-sonnet": Prices(3e-6, 15e-6, 0.3e-6)}
RETRIEVERS = {
    "": None,
    "gpt-4.1-mini": RETRIEVER,
    "gpt-5-mini": Prices(0.25e-6, 2e-6, 0.025e-6),
    "text-embedding-3-large": Prices(0.13e-6, 0.0),
}
"""Dollars a token by model, as the papers' tables name it; for one that is not here, what is published decides."""
FREE = Prices(0.0, 0.0)
EPISODES = {"workarena_l1": (330, 15), "webarena": (381, 30)}
PROMPT_LIMIT_5K = 5_000


@dataclass(frozen=True)
class Check:
    """An agent's dollars, published (second version) and from the model: NaN where a price is not known. `error` is the
    model's relative error."""

    benchmark: str
    backbone: str
    agent: str
    retriever_model: str
    published: float
    modelled: float
    calibrated_on: bool

    @property
    def error(self) -> float:
        return self.modelled / self.published - 1

    @property
    def name(self) -> str:
        """The agent with its models, where they are not GPT-4.1 alone."""
        models = [model for model in (self.backbone, self.retriever_model) if model not in ("gpt-4.1", "")]
        return f"{self.agent} ({', '.join(models)})" if models else self.agent

    @property
    def verdict(self) -> str:
        if self.calibrated_on:
            return "fitted"
        return "n/a: a price is unknown" if math.isnan(self.modelled) else f"{self.error:+.0%}"


@dataclass(frozen=True)
class Calibration:
    """`page` is the mean page in tokens that GenericAgent-BT's published dollars on WorkArena L1 imply, `steps` its
    steps an episode there. With that page, its dollars on WebArena imply only `webarena_steps` of the steps that
    success and step limit would: `corrected` are WebArena's checks with so many, `checks` those of the fit alone."""

    page: float
    steps: float
    checks: tuple[Check, ...]
    webarena_steps: float
    corrected: tuple[Check, ...]


@lru_cache(maxsize=2)
def calibrate(with_output: bool = False) -> Calibration:
    """`with_output` chooses the reading of the papers' dollars; the notes on them say input tokens only."""
    steps = _steps("workarena_l1", "generic-bt")
    dollars = _published("cost_total", "workarena_l1", "generic-bt")
    page = page_tokens_of(dollars, EPISODES["workarena_l1"][0], steps, BACKBONE, with_output)
    share = _webarena_steps(page, with_output)
    fitted, webarena = (_checks(name, page, with_output) for name in ("workarena_l1", "webarena"))
    return Calibration(page, steps, fitted + webarena, share, _checks("webarena", page, with_output, share))


def _webarena_steps(page: float, with_output: bool) -> float:
    """The share of WebArena's steps that is left when the dollars and the page are both right: the history grows by a
    step's text a step, so dollars are quadratic in steps."""
    step, past = assumed_step(page, steps=1), assumed("history_tokens") / 2
    output = step.output * BACKBONE.output / BACKBONE.input if with_output else 0.0
    fixed = step.page + step.rest + output - past
    tokens = _published("cost_total", "webarena", "generic-bt") / EPISODES["webarena"][0] / BACKBONE.input
    steps = (math.sqrt(fixed**2 + 4 * past * tokens) - fixed) / (2 * past)
    return steps / _steps("webarena", "generic-bt")


def _checks(benchmark: str, page: float, with_output: bool, share: float = 1.0) -> tuple[Check, ...]:
    """Every agent whose dollars are published, in the order of the papers' tables."""
    return tuple(
        Check(
            benchmark,
            row.backbone,
            row.agent,
            row.retriever_model,
            dollars,
            _modelled(row, page, with_output, share),
            (row.agent, row.backbone) == ("generic-bt", "gpt-4.1") and (benchmark == "workarena_l1" or share != 1.0),
        )
        for row, dollars in _priced_rows(benchmark)
    )


def _priced_rows(benchmark: str) -> Iterator[tuple[Published, float]]:
    """(a row with the agent's dollars, backbone and retriever together), each agent once: Table 2 before Table 1."""
    known = set()
    rows = [row for row in published() if row.version == "v2" and row.benchmark == benchmark]
    for figure in ("cost_total", "cost"):
        for row in (row for row in rows if row.figure == figure):
            agent = (row.backbone, row.agent, row.retriever_model)
            if agent not in known:
                known.add(agent)
                yield row, row.value + (_retrievers_part(row) or 0.0 if figure == "cost" else 0.0)


def _retrievers_part(row: Published) -> float | None:
    """The published dollars of the retriever alone, None where they are not quoted."""
    found = find("cost_retriever", ("v2",), **_where(row))
    return found.value if found else None


def _where(row: Published) -> dict[str, str]:
    return {key: getattr(row, key) for key in ("benchmark", "backbone", "agent", "retriever_model", "attack")}


def _steps(benchmark: str, agent: str, model: str = "") -> float:
    return mean_steps(EPISODES[benchmark][1], _published("success", benchmark, agent, model) / 100)


def _published(figure: str, benchmark: str, agent: str, model: str = "") -> float:
    """A figure of v2's Table 2, GPT-4.1. Raises LookupError where it is not quoted."""
    row = find(figure, ("v2",), benchmark=benchmark, agent=agent, retriever_model=model, backbone="gpt-4.1", table="2")
    if row is None:
        raise LookupError(f"{figure} of {agent} on {benchmark} is not quoted")
    return row.value


def _modelled(row: Published, page: float, with_output: bool, share: float) -> float:
    """Dollars over all episodes; NaN where the retriever's model has no price here and is not published as free."""
    where = _where(row)
    success, pruning = find("success", ("v2",), **where), find("pruning", ("v2",), table=row.table, **where)
    assert success is not None
    limit = EPISODES[row.benchmark][1]
    steps = share * mean_steps(limit, success.value / 100)
    step = assumed_step(page, steps)
    step = step if with_output else without_output(step)
    step = _truncated(step) if row.agent == "generic-bt-5k" else step
    if row.agent.startswith("embedding"):
        step = replace(step, line_numbers=0.0, retriever_rest=0.0, retriever_output=0.0)
    prunes = not row.agent.startswith("generic")
    pruned = pruning.value / 100 if prunes and pruning else 0.0
    asked = RETRIEVERS.get(row.retriever_model, None if _retrievers_part(row) else FREE)
    bill = step_bill(step, pruned, BACKBONES[row.backbone], asked, asks=bool(row.retriever_model))
    return bill.times(EPISODES[row.benchmark][0] * steps).cost


def _truncated(step: Step) -> Step:
    """The prompt cut to its limit, whatever the papers' mean pruning says of pages that are shorter."""
    return Step(min(step.page, PROMPT_LIMIT_5K - step.rest), step.rest, step.output)
