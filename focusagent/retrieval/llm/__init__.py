"""Retrievers that ask a language model: the paper's, SDO's sub-call, and `local` with a model behind it."""

from focusagent.retrieval.llm.retriever import LLMRetriever

__all__ = ["LLMRetriever"]
