"""FocusAgent: a web agent that sees only the part of a page that matters."""

from importlib import import_module
from typing import Any

from focusagent.compat import settle

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
    return getattr(import_module(_PUBLIC[name]), name)


settle()
