"""FocusAgent (arXiv 2510.03204): a retriever chooses the lines of the page that the backbone sees."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

import agentlab.llm.tracking as tracking
from agentlab.agents.generic_agent.generic_agent_prompt import GenericPromptFlags
from agentlab.llm.base_api import BaseModelArgs

from focusagent.agents.generic import ObservedAgent, ObservedAgentArgs, model_slug
from focusagent.agents.shim import goal_text
from focusagent.axtree import Keep
from focusagent.focuser import Defence, Focused, Focuser
from focusagent.retrieval import Retriever, Selection, make_retriever

MODEL_RETRIEVERS = ("llm", "local+llm")


class FocusAgent(ObservedAgent):
    """GenericAgent on a focused page."""

    def __init__(self, args: FocusAgentArgs) -> None:
        super().__init__(chat_model_args=args.chat_model_args, flags=args.flags, max_retry=args.max_retry)
        self.focuser = Focuser(
            args.make_retriever(),
            simplify=args.simplify,
            keep=args.keep,
            skip_below=args.skip_below,
            defence=args.make_defence(),
        )

    def look(self, obs: dict[str, Any]) -> Focused:
        focused = self.focuser.focus(
            obs["axtree_txt"],
            goal_text(obs),
            history=tuple((str(t or ""), str(a or "")) for t, a in zip(self.thoughts, self.actions, strict=True)),
            last_action=str(self.actions[-1] or "") if self.actions else "",
            last_action_error=obs.get("last_action_error") or "",
            focused_bid=obs.get("focused_element_bid") or "",
            tabs=tuple(obs.get("open_pages_titles") or ()),
            screenshot=obs.get("screenshot"),
        )
        _report(focused.selection)
        return focused


def _report(selection: Selection) -> None:
    """Add the retriever's calls to AgentLab's tracker, which is thread-local and sees none made in other threads."""
    tracker = getattr(tracking.TRACKER, "instance", None)
    if isinstance(tracker, tracking.LLMTracker):
        for call in selection.calls:
            tracker(call.input_tokens, call.output_tokens, call.cost or 0.0)


@dataclass
class FocusAgentArgs(ObservedAgentArgs):
    """`retriever_model_args=None` means the backbone's model. `keep` is the format of removed lines, `strategy` the
    retriever's prompt; `skip_below` is in tokens. Raises ValueError for settings that can never work."""

    agent_name: str = field(default="", kw_only=True)
    chat_model_args: BaseModelArgs = None
    flags: GenericPromptFlags = None
    retriever: str = "llm"
    retriever_model_args: BaseModelArgs | None = None
    retriever_kwargs: dict[str, Any] = field(default_factory=dict)
    keep: Keep = "nothing"
    simplify: bool = True
    strategy: str = "soft"
    reuse: str = "never"
    gate: bool = False
    skip_below: int = 500
    max_retry: int = field(default=4, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.retriever_model_args = deepcopy(self.retriever_model_args)
        self.retriever_kwargs = deepcopy(self.retriever_kwargs)

    @property
    def uses_model(self) -> bool:
        return self.retriever in MODEL_RETRIEVERS

    def default_name(self) -> str:
        kind = "focus" if self.retriever == "llm" else f"focus-{self.retriever}"
        name = f"{kind}__{model_slug(self.chat_model_args)}"
        with_model = self.uses_model and self.retriever_model_args is not None
        return f"{name}__{model_slug(self.model_args)}" if with_model else name

    @property
    def model_args(self) -> BaseModelArgs:
        """The retriever's model."""
        return self.retriever_model_args or self.chat_model_args

    def make_retriever_kwargs(self) -> dict[str, Any]:
        """What the retriever is made with; the user's own `retriever_kwargs` win."""
        return {"model_args": self.model_args, "strategy": self.strategy} if self.uses_model else {}

    def make_retriever(self) -> Retriever:
        return make_retriever(self.retriever, **(self.make_retriever_kwargs() | self.retriever_kwargs))

    def make_defence(self) -> Defence | None:
        return None

    def set_reproducibility_mode(self) -> None:
        super().set_reproducibility_mode()
        if self.retriever_model_args is not None:
            self.retriever_model_args.temperature = 0

    def prepare(self) -> None:
        super().prepare()
        if self.retriever_model_args is not None:
            self.retriever_model_args.prepare_server()

    def close(self) -> None:
        super().close()
        if self.retriever_model_args is not None:
            self.retriever_model_args.close_server()

    def make_agent(self) -> FocusAgent:
        return FocusAgent(self)
