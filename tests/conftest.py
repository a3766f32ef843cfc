"""Settles the environment (offline data, encodings, pages) before any test imports AgentLab."""

import focusagent  # noqa: F401
