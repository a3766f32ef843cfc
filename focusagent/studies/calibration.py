"""The cost model against the papers' dollars: fitted on GenericAgent-BT on WorkArena L1 alone, checked on the rest."""

from __future__ import annotations

from dataclasses import dataclass

from focusagent.models.catalog import Prices
from focusagent.results.published import find
from focusagent.studies.costs import Step, assumed_step, mean_steps, page_tokens_of, step_bill, without_output

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
    """`page` is the mean page in tokens that the published dollars of GenericAgent-BT imply."""

    page: float
    steps: float
    checks: tuple[Check, ...]


def calibrate(with_output: bool = False) -> Calibration:
    """`with_output` chooses the reading of the papers' dollars; the notes on them say input tokens only."""
    episodes, limit = EPISODES["workarena_l1"]
    steps = mean_steps(limit, _published("success", "workarena_l1", "generic-bt") / 100)
    dollars = _published("cost_total", "workarena_l1", "generic-bt")
    page = page_tokens_of(dollars, episodes, steps, BACKBONE, with_output)
    checks = tuple(
        Check(
            benchmark,
            agent,
            model,
            _published("cost_total", benchmark, agent, model),
            _modelled(benchmark, agent, model, page, with_output),
            (benchmark, agent) == ("workarena_l1", "generic-bt"),
        )
        for benchmark in EPISODES
        for agent, model in (("generic-bt", ""), ("generic-bt-5k", ""), ("focus", "gpt-4.1-mini"))
    )
    return Calibration(page, steps, checks)


def _published(figure: str, benchmark: str, agent: str, model: str = "") -> float:
    """A figure of v2's Table 2, GPT-4.1. Raises LookupError where it is not quoted."""
    row = find(figure, ("v2",), benchmark=benchmark, agent=agent, retriever_model=model, backbone="gpt-4.1", table="2")
    if row is None:
        raise LookupError(f"{figure} of {agent} on {benchmark} is not quoted")
    return row.value


def _modelled(benchmark: str, agent: str, model: str, page: float, with_output: bool) -> float:
    episodes, limit = EPISODES[benchmark]
    steps = mean_steps(limit, _published("success", benchmark, agent, model) / 100)
    step = assumed_step(page, steps)
    step = step if with_output else without_output(step)
    pruned = _published("pruning", benchmark, agent, model) / 100
    if agent == "generic-bt-5k":
        step, pruned = _truncated(step), 0.0
    bill = step_bill(step, pruned, BACKBONE, RETRIEVER, asks=agent == "focus")
    return bill.times(episodes * steps).cost


def _truncated(step: Step) -> Step:
    """The prompt cut to its limit, whatever the papers' mean pruning says of pages that are shorter."""
    return Step(min(step.page, PROMPT_LIMIT_5K - step.rest), step.rest, step.output)
