"""The ways in which browser agents' tools write an accessibility tree, each read into the same lines."""

from focusagent.axtree.dialects.base import Dialect, Reading
from focusagent.axtree.dialects.browsergym import BROWSERGYM
from focusagent.axtree.dialects.recognise import DIALECTS, doubt, recognise

__all__ = ["BROWSERGYM", "DIALECTS", "Dialect", "Reading", "doubt", "recognise"]
