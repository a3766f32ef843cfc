"""The `local` retriever: no language model, no network, weights fitted on real steps."""

from focusagent.retrieval.local.retriever import Local, lean

__all__ = ["Local", "lean"]
