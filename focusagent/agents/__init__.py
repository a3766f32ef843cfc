"""Agents for AgentLab: GenericAgent behind a retriever, its baselines and its defences."""
