"""Retrieval: which lines of a page matter for a goal."""

from focusagent.retrieval.base import Fallback, Query, Retriever, Selection, Skip
from focusagent.retrieval.registry import RETRIEVERS, UnknownRetriever, make_retriever

__all__ = ["RETRIEVERS", "Fallback", "Query", "Retriever", "Selection", "Skip", "UnknownRetriever", "make_retriever"]
