"""FocusAgent: a web agent that sees only the part of a page that matters."""

from importlib import import_module
from typing import Any

from focusagent.compat import settle
from focusagent.extras import explained

_PUBLIC = {
    "focus": "focusagent.focuser",
    "focusing": "focusagent.agents.wrapper",
    "FocusAgentArgs": "focusagent.agents.focus_agent",
    "DefenseFocusAgentArgs": "focusagent.agents.defense",
    "BM25AgentArgs": "focusagent.agents.baselines",
    "EmbeddingAgentArgs": "focusagent.agents.baselines",
    "SDOAgentArgs": "focusagent.agents.sdo.agent",
    "generic_agent_bt": "focusagent.agents.generic",
}
__all__ = list(_PUBLIC)


def __getattr__(name: str) -> Any:
    """Load on first use: AgentLab and its browser stack take seconds to import."""
    if name not in _PUBLIC:
        raise AttributeError(f"module 'focusagent' has no attribute {name!r}")
    try:
        return getattr(import_module(_PUBLIC[name]), name)
    except ModuleNotFoundError as error:
        raise explained(error) or error from error


settle()
