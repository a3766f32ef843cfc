"""GenericAgent with our observation, our model client and our figures; without a retriever it is GenericAgent-BT."""

from __future__ import annotations

import time
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from agentlab.agents.generic_agent.generic_agent import GenericAgent, GenericAgentArgs
from agentlab.agents.generic_agent.generic_agent_prompt import GenericPromptFlags
from agentlab.llm.base_api import BaseModelArgs
from agentlab.llm.tracking import cost_tracker_decorator
from bgym import Benchmark
from browsergym.experiments.agent import AgentInfo

from focusagent.agents.flags import paper_flags
from focusagent.agents.history_diff import HistoryDiff
from focusagent.agents.shim import goal_text, observe
from focusagent.agents.stats import step_record, step_stats
from focusagent.agents.xray import step_page
from focusagent.axtree import AxTree, LineRanges
from focusagent.compat import know_tokenizer
from focusagent.focused import Focused
from focusagent.models.catalog import takes_temperature
from focusagent.models.chat_model import our_model
from focusagent.models.checks import check_model
from focusagent.models.endpoint import is_known
from focusagent.models.tokens import count_tokens
from focusagent.retrieval import Selection


class ObservedAgent(GenericAgent):
    """GenericAgent that records what it saw. Subclasses override `look` to show less than the whole page."""

    def __init__(self, chat_model_args: BaseModelArgs, flags: GenericPromptFlags, max_retry: int = 4) -> None:
        know_tokenizer(str(chat_model_args.model_name))
        super().__init__(chat_model_args=_OnOurClient(chat_model_args), flags=flags, max_retry=max_retry)
        self.chat_model_args = chat_model_args
        self.history_diff = HistoryDiff()

    def obs_preprocessor(self, obs: dict[str, Any]) -> dict[str, Any]:
        return observe(obs, self.flags.obs)

    def look(self, obs: dict[str, Any]) -> Focused:
        text = obs["axtree_txt"]
        tree, tokens = AxTree.parse(text, "browsergym"), count_tokens(text)
        everything = LineRanges.all(len(tree))
        return Focused(text, everything, LineRanges(), tokens, tokens, Selection(everything), tree)

    def shown(self, obs: dict[str, Any], focused: Focused) -> dict[str, Any]:
        """The observation that GenericAgent builds its prompt from."""
        return obs | {"axtree_txt": focused.text}

    @cost_tracker_decorator  # type: ignore[untyped-decorator]
    def get_action(self, obs: dict[str, Any]) -> tuple[str | None, AgentInfo]:
        self.focused = focused = self.look(obs)
        if self.flags.obs.use_diff:
            self.history_diff.remember(self.memories, focused)
        started = time.perf_counter()
        action, info = self.act(self.shown(obs, focused), focused)
        focused = self.focused
        seconds = time.perf_counter() - started
        prompt = str(info.chat_messages) if info.chat_messages is not None else ""
        info.stats |= step_stats(focused, action, prompt) | {"backbone_seconds": seconds}
        info.stats["backbone_cost_unknown"] = int(getattr(self.chat_llm, "cost_unknown", False))
        record = step_record(focused, self._get_maxes()[0])
        info.extra_info = (info.extra_info or {}) | {"focusagent": record}
        info.html_page = step_page(goal_text(obs), focused, info, action)
        return action, info

    def act(self, obs: dict[str, Any], focused: Focused) -> tuple[str | None, AgentInfo]:
        """Let the backbone choose an action for what it is shown."""
        action, info = super().get_action(obs)
        return action, info


class _OnOurClient:
    """Model arguments as GenericAgent wants them, whose model is one of our client where that knows the provider."""

    def __init__(self, model_args: BaseModelArgs) -> None:
        self._args = model_args

    def __getattr__(self, name: str) -> Any:
        return getattr(self._args, name)

    def make_model(self) -> Any:
        return our_model(self._args)


@dataclass
class ObservedAgentArgs(GenericAgentArgs):
    """Arguments of `ObservedAgent`: nothing that was passed in is shared or changed."""

    agent_name: str = ""
    chat_model_args: BaseModelArgs = None
    flags: Any = None
    max_retry: int = 4

    def __post_init__(self) -> None:
        name = self.agent_name
        self.chat_model_args = deepcopy(self.chat_model_args)
        self.flags = deepcopy(self.flags) if self.flags is not None else paper_flags()
        self.agent_name = name or self.default_name()

    def default_name(self) -> str:
        return f"generic-bt__{model_slug(self.chat_model_args)}"

    def set_benchmark(self, benchmark: Benchmark, demo_mode: bool) -> None:
        """AgentLab's settings, less HTML, which it turns on for MiniWoB and which would pass the retriever by."""
        super().set_benchmark(benchmark, demo_mode)
        self.flags.obs.use_html = False

    def set_reproducibility_mode(self) -> None:
        make_reproducible(self.chat_model_args)

    def prepare(self) -> None:
        """Raises ConfigError for a model that can never work, before any episode is run."""
        check_args(self.chat_model_args)
        super().prepare()

    def make_agent(self) -> ObservedAgent:
        return ObservedAgent(chat_model_args=self.chat_model_args, flags=self.flags, max_retry=self.max_retry)


def generic_agent_bt(chat_model_args: BaseModelArgs, max_prompt_tokens: int = 40_000) -> GenericAgentArgs:
    """The paper's GenericAgent-BT: the page is truncated from the bottom to fit `max_prompt_tokens`."""
    name = "generic-bt" if max_prompt_tokens == 40_000 else f"generic-bt-{max_prompt_tokens // 1000}k"
    return ObservedAgentArgs(
        agent_name=f"{name}__{model_slug(chat_model_args)}",
        chat_model_args=chat_model_args,
        flags=paper_flags(max_prompt_tokens),
    )


def make_reproducible(model_args: BaseModelArgs) -> None:
    """Temperature 0, where the model takes one: reasoning models refuse it."""
    if takes_temperature(str(model_args.model_name)):
        model_args.temperature = 0


def check_args(model_args: BaseModelArgs) -> None:
    """Check what our client serves; other models know their own needs."""
    if is_known(model_args):
        check_model(model_args)


def model_slug(model_args: BaseModelArgs) -> str:
    return str(model_args.model_name).replace("/", "_")
