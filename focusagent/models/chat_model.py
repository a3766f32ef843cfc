"""The backbone on our client: an AgentLab chat model with one retry layer and the figures of each step."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from agentlab.llm.base_api import AbstractChatModel, BaseModelArgs
from agentlab.llm.llm_utils import AIMessage

from focusagent.models.call import Call
from focusagent.models.client import ChatClient, make_client
from focusagent.models.endpoint import is_known
from focusagent.models.request import Message
from focusagent.models.tracking import report


class ClientChatModel(AbstractChatModel):
    """Called by AgentLab with a Discussion or a list of messages. Reports each call to AgentLab's tracker at once, from
    the thread that called. A call that fails for good raises ModelError, which AgentLab records as the episode's."""

    def __init__(self, client: ChatClient) -> None:
        self.client = client
        self._calls: list[Call] = []
        self.cost_unknown = False

    def __call__(self, messages: Iterable[Message], temperature: float | None = None) -> Any:
        call = self.client.complete(messages, temperature=temperature)
        report([call])
        self._calls.append(replace(call, messages=()))
        return AIMessage(call.answer)

    def get_stats(self) -> dict[str, float]:
        """The step so far, then from zero again: AgentLab's agents ask once a step. `n_retry_llm` is AgentLab's own
        figure, the attempts of the last call; `cost_unknown` then speaks of the same calls."""
        calls, self._calls = self._calls, []
        self.cost_unknown = any(call.cost is None for call in calls)
        return {
            "n_retry_llm": calls[-1].retries + 1 if calls else 0,
            "backbone_input_tokens": sum(call.input_tokens for call in calls),
            "backbone_output_tokens": sum(call.output_tokens for call in calls),
            "backbone_cached_tokens": sum(call.cached_tokens for call in calls),
            "backbone_cost": sum(call.cost or 0.0 for call in calls),
            "backbone_retries": sum(call.retries for call in calls),
            "backbone_tokens_estimated": int(any(call.estimated for call in calls)),
        }


def our_model(model_args: BaseModelArgs) -> Any:
    """The chat model of these Args: on our client where it knows the Args' class, else the one they make themselves.

    Raises ConfigError for settings that can never work."""
    return ClientChatModel(make_client(model_args)) if is_known(model_args) else model_args.make_model()
