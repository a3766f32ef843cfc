"""GenericAgent behind DoomArena's own guard (extra `security`): the paper's "GenericAgent + Guard".

DoomArena's class writes the prompt and reads the verdict: an answer without one is no attack. Its calls go through our
client, so that they are retried, counted and may go to any provider."""

from __future__ import annotations

import logging
from copy import deepcopy
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from agentlab.llm.base_api import BaseModelArgs
from agentlab.llm.chat_api import OpenAIModelArgs

from focusagent.agents.generic import make_reproducible, model_slug
from focusagent.agents.guard import GuardAgent, GuardAgentArgs, Judged
from focusagent.errors import UserError
from focusagent.models.chat_model import our_model

JUDGE = "gpt-4o-2024-05-13"
MAX_NEW_TOKENS = 1_000


def paper_judge() -> BaseModelArgs:
    """GPT-4o in the version that DoomArena names."""
    return OpenAIModelArgs(
        model_name=JUDGE, max_total_tokens=128_000, max_input_tokens=128_000, max_new_tokens=MAX_NEW_TOKENS
    )


class _OurCompletions:
    """What DoomArena's guard uses of OpenAI's client, on a chat model of ours. Temperature and limit of the answer,
    which it passes along, are set in the model's Args."""

    def __init__(self, model: Any) -> None:
        self.model = model
        self.messages: list[dict[str, Any]] = []
        self.answer = ""
        self.chat = SimpleNamespace(completions=self)

    def create(self, *, messages: list[dict[str, Any]], **_: Any) -> Any:
        self.messages, self.answer = messages, ""
        self.answer = str(self.model(messages)["content"] or "")
        usage = SimpleNamespace(prompt_tokens=0, completion_tokens=0)  # it only logs them; our client counts
        return SimpleNamespace(choices=[SimpleNamespace(message=SimpleNamespace(content=self.answer))], usage=usage)


class DoomArenaGuardAgent(GuardAgent):
    """Asks `PromptedGpt` about the AxTree as one user's message, as DoomArena's gateway does."""

    def __init__(self, args: DoomArenaGuardAgentArgs) -> None:
        super().__init__(args)
        self.client = _OurCompletions(our_model(_as_judge(args.guard_model_args)))
        self.guard = _prompted_gpt(self.client)

    def judge_page(self, page: str) -> Judged:
        unsafe = bool(self.guard.attack_detected([{"role": "user", "content": page}]))
        return Judged(unsafe, str(self.client.messages), self.client.answer)


def _as_judge(model_args: BaseModelArgs | None) -> BaseModelArgs:
    """The model with the settings that DoomArena's guard asks for."""
    judge = deepcopy(model_args) or paper_judge()
    judge.max_new_tokens = MAX_NEW_TOKENS
    make_reproducible(judge)
    return judge


def _prompted_gpt(client: _OurCompletions) -> Any:
    """Raises UserError, naming the extra, without DoomArena."""
    try:
        from doomarena.core.agent_defenses import prompted_gpt
    except ModuleNotFoundError as error:
        raise UserError("generic-guard is DoomArena's guard: pip install 'focusagent[security]'", 2) from error
    prompted_gpt.logger.setLevel(logging.ERROR)  # it logs each answer as a warning, on whatever terminal there is
    guard = prompted_gpt.PromptedGpt(api_key="none")
    guard._client = client
    return guard


@dataclass
class DoomArenaGuardAgentArgs(GuardAgentArgs):
    """`guard_model_args=None` means `paper_judge()`. Whatever the model, it judges at temperature 0 in at most 1,000
    tokens, as DoomArena's guard asks for."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.guard_model_args = self.guard_model_args or paper_judge()

    def default_name(self) -> str:
        return f"generic-guard__{model_slug(self.chat_model_args)}"

    def make_agent(self) -> DoomArenaGuardAgent:
        return DoomArenaGuardAgent(self)
