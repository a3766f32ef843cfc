"""Any AgentLab agent, its observation focused: a wrapper that leaves the agent's own code untouched."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from agentlab.agents.agent_args import AgentArgs
from bgym import Benchmark
from browsergym.experiments.agent import Agent, AgentInfo

from focusagent.agents.checkpoint import Checkpoint
from focusagent.agents.focus_agent import GIVE_UP
from focusagent.agents.gated import Gatekeeper
from focusagent.agents.settings import check_names, check_settings
from focusagent.agents.shim import goal_text, tidy
from focusagent.agents.stats import step_record, step_stats
from focusagent.agents.xray import step_page
from focusagent.axtree import Keep
from focusagent.focuser import Focuser, make_defence
from focusagent.observation import drop_inline_text_boxes
from focusagent.retrieval import make_retriever


class FocusingAgent(Agent):
    """Focuses `axtree_txt` and hands the rest to the agent inside; with a defence, every road passes the checkpoint.

    An action that the gate refuses becomes a `noop()`; the agent inside learns of it with the next observation."""

    def __init__(self, inner: Agent, checkpoint: Checkpoint) -> None:
        self.inner = inner
        self.checkpoint = checkpoint
        self.focuser = checkpoint.focuser
        self.action_set = inner.action_set
        self._refusal = ""

    def __getattr__(self, name: str) -> Any:
        if name == "inner":
            raise AttributeError(name)
        return getattr(self.inner, name)

    def obs_preprocessor(self, obs: dict[str, Any]) -> dict[str, Any]:
        return self.checkpoint.preprocess(obs, self._seen)

    def _seen(self, obs: dict[str, Any]) -> dict[str, Any]:
        seen = self.inner.obs_preprocessor(obs)
        if "axtree_txt" in seen:
            seen = seen | {"axtree_txt": drop_inline_text_boxes(seen["axtree_txt"])}
        return tidy(seen)

    def get_action(self, obs: dict[str, Any]) -> tuple[str, AgentInfo]:
        obs, goal = self.checkpoint.arrive(obs), goal_text(obs)
        if self._refusal:
            obs = obs | {"last_action_error": self._refusal}
        focused = self.focuser.focus(
            obs.get("axtree_txt", ""),
            goal,
            last_action=obs.get("last_action") or "",
            last_action_error=obs.get("last_action_error") or "",
            focused_bid=obs.get("focused_element_bid") or "",
        )
        self.checkpoint.recall(self.inner, focused, goal)
        chosen, info = self.inner.get_action(obs | {"axtree_txt": focused.text})
        verdict = self.checkpoint.check(chosen, obs, focused)
        action, self._refusal = (chosen, "") if verdict.allowed else (GIVE_UP, verdict.reason)
        self.checkpoint.left(action, obs, focused)
        info = AgentInfo(**info) if isinstance(info, dict) else info
        info.stats = (info.stats or {}) | step_stats(focused, action, "") | {"backbone_seconds": 0.0}
        info.stats["gate_blocked"] = int(not verdict.allowed)
        info.extra_info = (info.extra_info or {}) | {"focusagent": step_record(focused, None)}
        info.html_page = info.html_page or step_page(goal, focused, info, action)
        self.checkpoint.record(info.stats, info.extra_info)
        return action, info


@dataclass
class FocusingArgs(AgentArgs):
    """Arguments of any agent, with a retriever before it. Raises UserError for settings that can never work."""

    agent_name: str = ""
    agent_args: AgentArgs = None
    retriever: str = "local"
    retriever_kwargs: dict[str, Any] = field(default_factory=dict)
    keep: Keep = "nothing"
    simplify: bool = True
    # In tokens: smaller pages are shown as they are.
    skip_below: int = 500
    # Vet the page, close the other roads from it to the agent, and gate what the agent does.
    defense: bool = False
    # URLs whose sites the gate allows besides the task's own.
    gate_allow: tuple[str, ...] = ()
    # Hide the values of password-like fields; None: as `defense`.
    mask_secrets: bool | None = None

    def __post_init__(self) -> None:
        check_settings(self)
        self.agent_args = deepcopy(self.agent_args)
        self.agent_name = self.agent_name or f"focusing-{self.retriever}__{self.agent_args.agent_name}"

    def set_benchmark(self, benchmark: Benchmark, demo_mode: bool) -> None:
        self.agent_args.set_benchmark(benchmark, demo_mode)

    def set_reproducibility_mode(self) -> None:
        self.agent_args.set_reproducibility_mode()

    def prepare(self) -> None:
        self.agent_args.prepare()

    def close(self) -> None:
        self.agent_args.close()

    def make_agent(self) -> FocusingAgent:
        focuser = Focuser(
            make_retriever(self.retriever, **self.retriever_kwargs),
            dialect="browsergym",  # what BrowserGym prints is never guessed at
            simplify=self.simplify,
            keep=self.keep,
            skip_below=self.skip_below,
            defence=make_defence() if self.defense else None,
        )
        gatekeeper = Gatekeeper(self.gate_allow) if self.defense else None
        mask = self.defense if self.mask_secrets is None else self.mask_secrets
        return FocusingAgent(self.agent_args.make_agent(), Checkpoint(focuser, gatekeeper=gatekeeper, mask=mask))


def focusing(agent_args: AgentArgs, **settings: Any) -> FocusingArgs:
    """The agent of `agent_args` on focused pages; `settings` are the fields of FocusingArgs. HTML that the agent was
    told to read is not pruned: turn it off in its own settings. With `defense=True` it reads none.

    Raises UserError, naming the nearest field, for a setting that there is not."""
    check_names(settings, FocusingArgs)
    return FocusingArgs(agent_args=agent_args, **settings)
