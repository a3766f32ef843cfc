"""What a study will cost, and from which share of the page on a retriever pays.

The paper's estimate (arXiv 2510.03204): with a retriever at C_S and a backbone at C_L dollars a token, pruning pays
when the pruned share is at least C_S / C_L. It leaves out the rest of the prompts, line numbers, outputs and discounts
for cached input. Here they are added; with all of them zero the paper's figure comes out."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files

import yaml

from focusagent.models.catalog import Prices


@dataclass(frozen=True)
class Assumption:
    name: str
    value: float
    source: str


@lru_cache(maxsize=1)
def assumptions() -> dict[str, Assumption]:
    rows = yaml.safe_load(files("focusagent.studies").joinpath("assumptions.yaml").read_text("utf-8"))
    return {name: Assumption(name, float(row["value"]), row["source"]) for name, row in rows.items()}


def assumed(name: str) -> float:
    return assumptions()[name].value


@dataclass(frozen=True)
class Step:
    """Tokens of one step before pruning. `cached_share` is the share of the backbone's input that the provider reads
    from its cache; the page comes last in the prompt and changes, so little of it can be cached."""

    page: float
    rest: float
    output: float = 0.0
    line_numbers: float = 0.0
    retriever_rest: float = 0.0
    retriever_output: float = 0.0
    cached_share: float = 0.0


@dataclass(frozen=True)
class Bill:
    """Tokens and dollars; dollars are NaN where a price is unknown."""

    backbone_input: float
    backbone_output: float
    retriever_input: float
    retriever_output: float
    backbone_cost: float
    retriever_cost: float

    @property
    def cost(self) -> float:
        return self.backbone_cost + self.retriever_cost

    def times(self, steps: float) -> Bill:
        return Bill(*(steps * value for value in vars(self).values()))


def price(prices: Prices | None, input_tokens: float, output_tokens: float, cached: float = 0.0) -> float:
    """Dollars; NaN for an unknown price of anything that is used."""
    if not input_tokens and not output_tokens:
        return 0.0
    return prices.cost(input_tokens, output_tokens, cached) if prices else math.nan  # type: ignore[arg-type]


def step_bill(step: Step, pruned: float, backbone: Prices | None, retriever: Prices | None, asks: bool = True) -> Bill:
    """One step with `pruned` (0..1) of the page removed by a retriever; `asks` is whether that one calls a model."""
    seen = step.page * (1 - pruned) + step.rest
    read = step.page * (1 + step.line_numbers) + step.retriever_rest if asks else 0.0
    said = step.retriever_output if asks else 0.0
    return Bill(
        seen,
        step.output,
        read,
        said,
        price(backbone, seen, step.output, seen * step.cached_share),
        price(retriever, read, said),
    )


def break_even(step: Step, backbone: Prices, retriever: Prices) -> float:
    """The least share of the page that must be pruned for the retriever to pay; over 1 where it never does."""
    asked = step_bill(step, 0.0, backbone, retriever).retriever_cost
    saved_by_all = (
        step_bill(step, 0.0, backbone, None, asks=False).cost - step_bill(step, 1.0, backbone, None, False).cost
    )
    return asked / saved_by_all if saved_by_all else math.inf


def paper_step(page: float = 1.0) -> Step:
    """The paper's own estimate: the page and nothing else."""
    return Step(page, 0.0)


def mean_steps(limit: int, success: float) -> float:
    """Steps of an episode: a solved one takes a share of the limit, an unsolved one all of it."""
    return limit * (success * assumed("solved_step_share") + 1 - success)


def assumed_step(page: float, steps: float, cached_share: float = 0.0) -> Step:
    """A step in the middle of an episode of `steps`, with everything around the page as assumed."""
    return Step(
        page=page,
        rest=assumed("rest_tokens") + assumed("history_tokens") * max(0.0, steps - 1) / 2,
        output=assumed("output_tokens"),
        line_numbers=assumed("line_numbers"),
        retriever_rest=assumed("retriever_rest_tokens"),
        retriever_output=assumed("retriever_output_tokens"),
        cached_share=cached_share,
    )


def page_tokens_of(dollars: float, episodes: int, steps: float, backbone: Prices, with_output: bool) -> float:
    """The mean page that explains what GenericAgent-BT's episodes cost. `with_output`: whether the dollars are for
    every call (output included) or for input tokens alone; the papers' notes have both readings."""
    step = assumed_step(0.0, steps)
    tokens = dollars / (episodes * steps) / backbone.input
    return tokens - step.rest - (step.output * backbone.output / backbone.input if with_output else 0.0)


def without_output(step: Step) -> Step:
    """The same step in the reading that counts input tokens alone."""
    return replace(step, output=0.0, retriever_output=0.0)
