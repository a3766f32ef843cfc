"""The cost model against the papers' dollars: fitted on GenericAgent-BT on WorkArena L1 alone, checked on the rest."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from focusagent.models.catalog import Prices
from focusagent.results.published import find
from focusagent.studies.costs import Step, assumed, assumed_step, mean_steps, page_tokens_of, step_bill, without_output

BACKBONE = Prices(2e-6, 8e-6, 0.5e-6)
RETRIEVER = Prices(0.4e-6, 1.6e-6, 0.1e-6)
EPISODES = {"workarena_l1": (330, 15), "webarena": (381, 30)}
PROMPT_LIMIT_5K = 5_000


@dataclass(frozen=True)
class Check:
    """An agent's dollars, published and from the model. `error` is the model's relative error."""

    benchmark: str
    agent: str
    retriever_model: str
    published: float
    modelled: float
    calibrated_on: bool

    @property
    def error(self) -> float:
        return self.modelled / self.published - 1


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
    return tuple(
        Check(
            benchmark,
            agent,
            model,
            _published("cost_total", benchmark, agent, model),
            _modelled(benchmark, agent, model, page, with_output, share),
            agent == "generic-bt" and (benchmark == "workarena_l1" or share != 1.0),
        )
        for agent, model in (("generic-bt", ""), ("generic-bt-5k", ""), ("focus", "gpt-4.1-mini"))
    )


def _steps(benchmark: str, agent: str, model: str = "") -> float:
    return mean_steps(EPISODES[benchmark][1], _published("success", benchmark, agent, model) / 100)


def _published(figure: str, benchmark: str, agent: str, model: str = "") -> float:
    """A figure of v2's Table 2, GPT-4.1. Raises LookupError where it is not quoted."""
    row = find(figure, ("v2",), benchmark=benchmark, agent=agent, retriever_model=model, backbone="gpt-4.1", table="2")
    if row is None:
        raise LookupError(f"{figure} of {agent} on {benchmark} is not quoted")
    return row.value


def _modelled(benchmark: str, agent: str, model: str, page: float, with_output: bool, share: float) -> float:
    steps = share * _steps(benchmark, agent, model)
    step = assumed_step(page, steps)
    step = step if with_output else without_output(step)
    step = _truncated(step) if agent == "generic-bt-5k" else step
    prunes = agent == "focus"
    pruned = _published("pruning", benchmark, agent, model) / 100 if prunes else 0.0
    bill = step_bill(step, pruned, BACKBONE, RETRIEVER, asks=prunes)
    return bill.times(EPISODES[benchmark][0] * steps).cost


def _truncated(step: Step) -> Step:
    """The prompt cut to its limit, whatever the papers' mean pruning says of pages that are shorter."""
    return Step(min(step.page, PROMPT_LIMIT_5K - step.rest), step.rest, step.output)
