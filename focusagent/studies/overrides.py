"""What a study may override in an agent's Args, and with which kinds of values."""

from __future__ import annotations

from dataclasses import MISSING, fields
from importlib import import_module
from typing import Any

from focusagent.errors import UserError
from focusagent.studies.config import AgentEntry

SET_BY = {
    "chat_model_args": "backbones",
    "retriever_model_args": "retriever_models",
    "embedding_model": "retriever_models",
    "guard_model_args": "guard_model",
    "agent_name": "agent and its overrides",
    "flags": "agent",
}
KINDS: dict[type, str] = {
    bool: "true or false",
    int: "a whole number from 0 on",
    str: "a text",
    tuple: "a list",
    dict: "a mapping",
}


def defaults_of(agent: str) -> dict[str, Any]:
    """What the fields of the agent's Args are when a study does not say; {} for an unknown agent."""
    from focusagent.agents.named import AGENTS

    spec = AGENTS.get(agent)
    if spec is None:
        return {}
    module, _, name = spec.args_class.rpartition(".")
    own = {
        field.name: field.default_factory() if field.default_factory is not MISSING else field.default
        for field in fields(getattr(import_module(module), name))
    }
    return own | dict(spec.settings)


def checked(entry: AgentEntry, defaults: dict[str, Any]) -> dict[str, Any]:
    """The entry's overrides, lists as the tuples that fields hold. Raises UserError for a field that a study sets
    elsewhere and for a value of another kind than the field's own; unknown fields are the agent's to refuse."""
    found = {}
    for key, value in entry.overrides.items():
        if key in defaults and key in SET_BY:
            raise UserError(
                f"agent {entry.agent!r}: {key!r} is no override; it follows from {SET_BY[key]}", exit_code=2
            )
        value = tuple(value) if isinstance(value, list) else value
        kind = next((kind for kind in KINDS if isinstance(defaults.get(key), kind)), None)
        if kind is not None and not _fits(value, kind):
            raise UserError(f"agent {entry.agent!r}: {key!r} is {KINDS[kind]}, not {str(value)[:80]!r}", exit_code=2)
        found[key] = value
    return found


def _fits(value: Any, kind: type) -> bool:
    """YAML's true is an int to Python, and no number of anything here is negative."""
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return isinstance(value, kind)


def check_retriever(entry: AgentEntry, args: Any) -> None:
    """Make the retriever once where the entry changes how it is made. A missing key is for the check of models to say.

    Raises UserError for a name or a keyword that its maker does not take."""
    from focusagent.models.failure import ConfigError

    if not {"retriever", "retriever_kwargs"} & set(entry.overrides) or not hasattr(args, "make_retriever"):
        return
    try:
        args.make_retriever()
    except ConfigError:
        return
    except (TypeError, ValueError) as error:
        raise UserError(f"agent {entry.agent!r}: its retriever cannot be made: {error}", exit_code=2) from error
