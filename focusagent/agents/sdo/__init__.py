"""SDOAgent: observes only when a signal fires, acts by a plan in between."""

from focusagent.agents.sdo.agent import SDOAgent, SDOAgentArgs

__all__ = ["SDOAgent", "SDOAgentArgs"]
