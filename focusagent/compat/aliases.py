"""Old dotted names of modules that moved, kept for one release: they stand in pickles, studies and users' imports."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

MOVED = {
    "focusagent.agents.sdo_observations": "focusagent.agents.sdo.observations",
    "focusagent.agents.sdo_plan": "focusagent.agents.sdo.plan",
    "focusagent.agents.sdo_sub": "focusagent.retrieval.llm.sub_call",
    "focusagent.axtree.sanitise": "focusagent.security.sanitise",
    "focusagent.longpage.actions": "focusagent.scripted.steps",
    "focusagent.longpage.env": "focusagent.environments",
    "focusagent.models.scripted": "focusagent.scripted.model",
    "focusagent.models.scripted_obedience": "focusagent.scripted.obedience",
    "focusagent.models.scripted_policies": "focusagent.scripted.policies",
    "focusagent.retrieval.answers": "focusagent.retrieval.llm.answers",
    "focusagent.retrieval.bm25": "focusagent.retrieval.chunked.bm25",
    "focusagent.retrieval.embedders": "focusagent.retrieval.chunked.embedders",
    "focusagent.retrieval.embedding": "focusagent.retrieval.chunked.embedding",
    "focusagent.retrieval.local_llm": "focusagent.retrieval.llm.local_first",
    "focusagent.security.actions": "focusagent.actions",
}


class _Alias(Loader):
    """Loads an old name as the module that has taken its place."""

    def __init__(self, new: str) -> None:
        self.new = new

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        warnings.warn(f"{spec.name} is now {self.new}", DeprecationWarning, stacklevel=2)
        return import_module(self.new)

    def exec_module(self, module: ModuleType) -> None:
        """The module has run under its new name."""


class _Finder(MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        new = MOVED.get(fullname)
        return ModuleSpec(fullname, _Alias(new)) if new else None


def know_old_names() -> None:
    """Let the old names be imported. Safe to call again."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.append(_Finder())
