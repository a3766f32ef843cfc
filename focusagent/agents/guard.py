"""The paper's baselines that defend without a retriever: a judge that ends the episode, a warning in the prompt."""

from __future__ import annotations

import re
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from agentlab.llm.base_api import BaseModelArgs
from agentlab.llm.llm_utils import Discussion, HumanMessage, SystemMessage
from browsergym.experiments.agent import AgentInfo

from focusagent.agents.generic import ObservedAgent, ObservedAgentArgs, check_args, model_slug
from focusagent.focuser import Focused
from focusagent.models.chat_model import our_model

_VERDICT = re.compile(r"\b(safe|unsafe)\b", re.IGNORECASE)


@cache
def prompt(name: str) -> str:
    return files(__package__).joinpath("prompts", f"{name}.txt").read_text("utf-8").strip()


class GuardAgent(ObservedAgent):
    """GenericAgent-BT behind a judge that reads every page first. On an attack, or an answer that is neither verdict,
    there is no action, which ends the episode. Source: arXiv 2510.03204, "GenericAgent + Guard"."""

    def __init__(self, args: GuardAgentArgs) -> None:
        super().__init__(chat_model_args=args.chat_model_args, flags=args.flags, max_retry=args.max_retry)
        self.judge = our_model(args.guard_model_args or args.chat_model_args)

    def act(self, obs: dict[str, Any], focused: Focused) -> tuple[str | None, AgentInfo]:
        messages = Discussion([SystemMessage(prompt("guard")), HumanMessage(focused.text)])
        answer = str(self.judge(messages)["content"])
        unsafe = is_unsafe(answer)
        record = {"guard_messages": str(messages), "guard_answer": answer}
        if unsafe:
            info = AgentInfo(think="The guard found an attack on this page.", stats={}, extra_info={})
            action = None
        else:
            action, info = super().act(obs, focused)
        info.stats |= {"guard_triggered": int(unsafe)}
        info.extra_info = (info.extra_info or {}) | record
        return action, info


def is_unsafe(answer: str) -> bool:
    """The last verdict in the answer; an answer without one counts as unsafe."""
    verdicts = _VERDICT.findall(answer)
    return not verdicts or verdicts[-1].lower() == "unsafe"


@dataclass
class GuardAgentArgs(ObservedAgentArgs):
    """`guard_model_args=None` means the backbone's model judges."""

    guard_model_args: BaseModelArgs | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.guard_model_args = deepcopy(self.guard_model_args)

    def default_name(self) -> str:
        return f"generic-guard__{model_slug(self.chat_model_args)}"

    def prepare(self) -> None:
        super().prepare()
        if self.guard_model_args is not None:
            check_args(self.guard_model_args)
            self.guard_model_args.prepare_server()

    def close(self) -> None:
        super().close()
        if self.guard_model_args is not None:
            self.guard_model_args.close_server()

    def make_agent(self) -> GuardAgent:
        return GuardAgent(self)


@dataclass
class DefenseGenericAgentArgs(ObservedAgentArgs):
    """GenericAgent-BT with a warning in its own instructions. Source: the paper's second version."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.flags.extra_instructions = prompt("warning")

    def default_name(self) -> str:
        return f"defense-generic__{model_slug(self.chat_model_args)}"
