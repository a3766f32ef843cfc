"""The scripted backbone: an AgentLab chat model that acts by hand-written policies and knows only its prompt.

It is an instrument, not a language model: it shows what an agent can still do from the page it is shown. Its figures
never stand in one table with those of a model."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from agentlab.llm.base_api import AbstractChatModel, BaseModelArgs

from focusagent.actions import bids_of
from focusagent.axtree import AxLine
from focusagent.compat import know_tokenizer
from focusagent.models.tokens import count_tokens
from focusagent.scripted.foresight import foresee
from focusagent.scripted.looks import second_look
from focusagent.scripted.obedience import Obedience
from focusagent.scripted.policies import Plan, next_plan, policy_for, register_policy
from focusagent.scripted.prompt import ReadPrompt, prompt_text, read_prompt

__all__ = ["Obedience", "Plan", "ScriptedModel", "ScriptedModelArgs", "policy_for", "register_policy"]

SINGLE_ACTION = "Only a single action can be provided at once"


@dataclass
class ScriptedModelArgs(BaseModelArgs):
    """`slip` is the probability of a wrong element at a step, drawn from `seed`. `policies` names modules that register
    policies when imported, for workers that unpickle nothing else of the benchmark. With `obeys_page` the model does
    the attack's action once it has read any of it, as `obedience` defines."""

    model_name: str = "scripted"
    max_total_tokens: int = 1_000_000
    max_input_tokens: int = 1_000_000
    max_new_tokens: int = 2_000
    slip: float = 0.0
    seed: int = 0
    obeys_page: bool = False
    obedience: Obedience | None = None
    policies: tuple[str, ...] = ()

    def make_model(self) -> ScriptedModel:
        know_tokenizer(self.model_name)
        for module in self.policies:
            import_module(module)
        return ScriptedModel(self.slip, self.seed, self.obedience if self.obeys_page else None)


class ScriptedModel(AbstractChatModel):
    """Answers every prompt of an AgentLab agent with the next action of the goal's policy."""

    def __init__(self, slip: float = 0.0, seed: int = 0, obedience: Obedience | None = None) -> None:
        self.slip, self.seed, self.obedience = slip, seed, obedience
        self.slips = self.obeyed = 0

    def __call__(self, messages: Iterable[Mapping[str, Any]], **_: Any) -> dict[str, str]:
        """One answer in GenericAgent's format, whatever sampling options a caller passes."""
        turns = list(messages)
        text, prompt = prompt_text(turns), read_prompt(turns)
        plan = self._plan(text, prompt)
        actions = plan[:1] if SINGLE_ACTION in text else plan
        answer = f"<think>\n{plan.note}\n</think>\n<action>\n{chr(10).join(actions)}\n</action>"
        _report_usage(count_tokens(text), count_tokens(answer))
        return {"role": "assistant", "content": answer}

    def get_stats(self) -> dict[str, float]:
        return {"scripted_slips": self.slips, "scripted_obeyed": self.obeyed}

    def _plan(self, text: str, prompt: ReadPrompt) -> Plan:
        ordered = self.obedience.action(text, prompt) if self.obedience else ""
        if ordered:
            self.obeyed += 1
            return Plan([ordered], note="The page told me to do this.")
        if look := second_look(prompt):
            return look
        plan = next_plan(prompt.goal, prompt.lines, prompt.actions, prompt.thoughts)
        if SINGLE_ACTION not in text and len(plan) == 1:
            plan = foresee(prompt.goal, prompt.lines, prompt.actions, prompt.thoughts, plan)
        draw = random.Random(f"{self.seed}|{prompt.goal}|{len(prompt.actions)}")
        if draw.random() < self.slip:
            self.slips += 1
            return Plan([_wrong(plan[0], prompt.lines, draw)], note=plan.note)
        return plan


def _wrong(action: str, lines: Sequence[AxLine], draw: random.Random) -> str:
    """The action on another element of the same role; `noop` where there is no element to mistake."""
    meant = next(iter(bids_of(action)), "")
    roles = {line.role for line in lines if meant and line.bid == meant}
    others = [line.bid for line in lines if line.bid and line.role in roles and line.bid != meant]
    return action.replace(repr(meant), repr(draw.choice(others)), 1) if others else "noop(500)"


def _report_usage(input_tokens: int, output_tokens: int) -> None:
    """Add to AgentLab's cost tracker of this thread, if one is open. A script costs nothing."""
    from agentlab.llm import tracking

    tracker = getattr(tracking.TRACKER, "instance", None)
    if tracker is not None:
        tracker(input_tokens, output_tokens, 0.0)
