"""Studies: their configuration, what they will cost, running them through AgentLab."""
