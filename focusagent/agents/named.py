"""Agents as data: a name fixes class, flags and retriever; backbone and retriever models are added by the user."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from importlib import import_module
from typing import Any

from agentlab.agents.agent_args import AgentArgs
from agentlab.llm.base_api import BaseModelArgs

from focusagent.agents.flags import paper_flags
from focusagent.agents.generic import make_reproducible
from focusagent.errors import UserError, nearest
from focusagent.retrieval.chunked import CHUNK_SIZES
from focusagent.signals.kinds import SignalKind

_HERE = "focusagent.agents"


class UnknownAgent(UserError, ValueError):
    """No agent of that name, or no such field to override."""


@dataclass(frozen=True)
class AgentSpec:
    """`paper` marks the settings of a paper: no simplification, skip, reuse or gate of ours."""

    args_class: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    max_prompt_tokens: int = 40_000
    paper: bool = False


_EXAMPLES_OFF = {"abstract_example": False, "concrete_example": False}
ABSTRACT_EXAMPLE_FOR = ("qwen3.5-9b", "qwen3-235b")
"""Retriever models to whose prompt the authors' code adds the form of an answer; all others get no example."""

_PUBLISHED = {
    "simplify": False,
    "skip_below": 0,
    "reuse": "never",
    "gate": False,
    "keep_live": False,
    "compact_prompt": False,
    "cut_long_lines": False,
}


def _focus(**settings: Any) -> AgentSpec:
    return AgentSpec(f"{_HERE}.focus_agent.FocusAgentArgs", settings)


def _published(**settings: Any) -> AgentSpec:
    settings["retriever_kwargs"] = _EXAMPLES_OFF | settings.get("retriever_kwargs", {})
    return AgentSpec(f"{_HERE}.focus_agent.FocusAgentArgs", _PUBLISHED | settings, paper=True)


def _chunks(kind: str, args_class: str, size: int) -> tuple[str, AgentSpec]:
    settings = _PUBLISHED | {"retriever": f"{kind}-{size}"}
    return f"{kind}-{size}", AgentSpec(f"{_HERE}.baselines.{args_class}", settings, paper=True)


AGENTS: dict[str, AgentSpec] = {
    "generic-bt": AgentSpec(f"{_HERE}.generic.ObservedAgentArgs", paper=True),
    "generic-bt-5k": AgentSpec(f"{_HERE}.generic.ObservedAgentArgs", max_prompt_tokens=5_000, paper=True),
    **dict(_chunks("bm25", "BM25AgentArgs", size) for size in CHUNK_SIZES),
    **dict(_chunks("embedding", "EmbeddingAgentArgs", size) for size in CHUNK_SIZES),
    "focus": _published(),
    "focus-neutral": _published(strategy="neutral"),
    "focus-aggressive": _published(strategy="aggressive"),
    "focus-history": _published(retriever_kwargs={"history": True, "whole_history": True}),
    "focus-keep-bid": _published(keep="bid-marked"),
    "focus-keep-role": _published(keep="role"),
    "focus-keep-bid-role": _published(keep="bid+role-marked"),
    "focus-local": _focus(retriever="local"),
    "focus-local-lean": _focus(retriever="local-lean"),
    "focus-local+llm": _focus(retriever="local+llm"),
    "sdo": AgentSpec(f"{_HERE}.sdo.SDOAgentArgs"),
    "sdo-plus": AgentSpec(f"{_HERE}.sdo.SDOAgentArgs", {"conditions": tuple(SignalKind)}),
    "sdo-local": AgentSpec(f"{_HERE}.sdo.SDOAgentArgs", {"retriever": "local", "purposes": False}),
    "generic-guard": AgentSpec(f"{_HERE}.doomarena_guard.DoomArenaGuardAgentArgs", paper=True),
    "generic-guard-strict": AgentSpec(f"{_HERE}.guard.StrictGuardAgentArgs"),
    "defense-generic": AgentSpec(f"{_HERE}.guard.DefenseGenericAgentArgs", paper=True),
    "defense-focus-paper": AgentSpec(
        f"{_HERE}.defense.DefenseFocusAgentArgs",
        _PUBLISHED | {"published": True, "retriever_kwargs": _EXAMPLES_OFF},
        paper=True,
    ),
    "defense-focus": AgentSpec(f"{_HERE}.defense.DefenseFocusAgentArgs"),
    "defense-focus-local": AgentSpec(f"{_HERE}.defense.DefenseFocusAgentArgs", {"retriever": "local"}),
}


def make_agent(
    name: str,
    chat_model_args: BaseModelArgs,
    retriever_model_args: BaseModelArgs | None = None,
    **overrides: Any,
) -> AgentArgs:
    """The agent of that name, called NAME__BACKBONE[__RETRIEVERMODEL]; each override becomes part of NAME.

    Raises UnknownAgent, naming the nearest known name or field."""
    spec = AGENTS.get(name)
    if spec is None:
        raise UnknownAgent(f"unknown agent {name!r}; {nearest(name, list(AGENTS))}")
    module, _, attribute = spec.args_class.rpartition(".")
    args_class = getattr(import_module(module), attribute)
    known = {known_field.name for known_field in fields(args_class)}
    for key in overrides:
        if key not in known:
            raise UnknownAgent(f"agent {name!r} has no field {key!r}; {nearest(key, sorted(known))}")
    settings = dict(spec.settings) | overrides
    if (
        settings.get("retriever", "llm") != spec.settings.get("retriever", "llm")
        and "retriever_kwargs" not in overrides
    ):
        settings.pop("retriever_kwargs", None)  # those of the retriever that is replaced
    if retriever_model_args is not None and "retriever_model_args" in known:
        settings["retriever_model_args"] = retriever_model_args
    settings.setdefault("flags", paper_flags(spec.max_prompt_tokens))
    if spec.paper:
        settings |= _examples_of(settings, overrides)
    args: AgentArgs = args_class(chat_model_args=chat_model_args, **settings)
    if spec.paper:
        make_reproducible(args.chat_model_args)
    models = args.agent_name.partition("__")[2]
    args.agent_name = "__".join(
        [",".join([name, *(f"{k}={v}" for k, v in overrides.items())]).replace("/", "_"), models]
    )
    return args


def _examples_of(settings: dict[str, Any], overrides: dict[str, Any]) -> dict[str, Any]:
    """The examples in the retriever's prompt follow its model, where the paper's agent is not told otherwise."""
    model = str(getattr(settings.get("retriever_model_args"), "model_name", ""))
    if "retriever_kwargs" in overrides or not any(name in model for name in ABSTRACT_EXAMPLE_FOR):
        return {}
    return {"retriever_kwargs": settings.get("retriever_kwargs", {}) | {"abstract_example": True}}
