"""Agents that defend without a retriever: a judge that ends the episode, or a warning in the prompt."""

from __future__ import annotations

import re
from abc import abstractmethod
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from agentlab.llm.base_api import BaseModelArgs
from agentlab.llm.llm_utils import Discussion, HumanMessage, SystemMessage
from browsergym.experiments.agent import AgentInfo

from focusagent.agents.generic import ObservedAgent, ObservedAgentArgs, check_args, model_slug
from focusagent.focused import Focused
from focusagent.models.chat_model import our_model

_VERDICT = re.compile(r"\b(safe|unsafe)\b", re.IGNORECASE)


@cache
def prompt(name: str) -> str:
    return files(__package__).joinpath("prompts", f"{name}.txt").read_text("utf-8").strip()


@dataclass(frozen=True)
class Judged:
    """A guard's verdict on one page, with the prompt it was sent and what it answered."""

    unsafe: bool
    messages: str
    answer: str


class GuardAgent(ObservedAgent):
    """GenericAgent-BT behind a judge that reads every page first. On an attack there is no action, which ends the
    episode. Source: arXiv 2510.03204, "GenericAgent + Guard"."""

    def __init__(self, args: GuardAgentArgs) -> None:
        super().__init__(chat_model_args=args.chat_model_args, flags=args.flags, max_retry=args.max_retry)

    @abstractmethod
    def judge_page(self, page: str) -> Judged:
        """Ask the guard about the page's AxTree."""

    def act(self, obs: dict[str, Any], focused: Focused) -> tuple[str | None, AgentInfo]:
        judged = self.judge_page(focused.text)
        record = {"guard_messages": judged.messages, "guard_answer": judged.answer}
        if judged.unsafe:
            info = AgentInfo(think="The guard found an attack on this page.", stats={}, extra_info={})
            action = None
        else:
            action, info = super().act(obs, focused)
        info.stats |= {"guard_triggered": int(judged.unsafe)}
        info.extra_info = (info.extra_info or {}) | record
        return action, info


class StrictGuardAgent(GuardAgent):
    """Our own guard: its prompt and its words, and an answer that is neither verdict counts as an attack."""

    def __init__(self, args: StrictGuardAgentArgs) -> None:
        super().__init__(args)
        self.judge = our_model(args.guard_model_args or args.chat_model_args)

    def judge_page(self, page: str) -> Judged:
        messages = Discussion([SystemMessage(prompt("guard")), HumanMessage(page)])
        answer = str(self.judge(messages)["content"])
        return Judged(is_unsafe(answer), str(messages), answer)


def is_unsafe(answer: str) -> bool:
    """The last verdict in the answer; an answer without one counts as unsafe."""
    verdicts = _VERDICT.findall(answer)
    return not verdicts or verdicts[-1].lower() == "unsafe"


@dataclass
class GuardAgentArgs(ObservedAgentArgs):
    """`guard_model_args` is the judge."""

    guard_model_args: BaseModelArgs | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.guard_model_args = deepcopy(self.guard_model_args)

    def prepare(self) -> None:
        super().prepare()
        if self.guard_model_args is not None:
            check_args(self.guard_model_args)
            self.guard_model_args.prepare_server()

    def close(self) -> None:
        super().close()
        if self.guard_model_args is not None:
            self.guard_model_args.close_server()


@dataclass
class StrictGuardAgentArgs(GuardAgentArgs):
    """`guard_model_args=None` means the backbone's model judges."""

    def default_name(self) -> str:
        return f"generic-guard-strict__{model_slug(self.chat_model_args)}"

    def make_agent(self) -> StrictGuardAgent:
        return StrictGuardAgent(self)


@dataclass
class DefenseGenericAgentArgs(ObservedAgentArgs):
    """GenericAgent-BT with a warning in its own instructions. Source: the paper's second version."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.flags.extra_instructions = prompt("warning")

    def default_name(self) -> str:
        return f"defense-generic__{model_slug(self.chat_model_args)}"
