"""NLTK's sentence data: browsergym.webarena downloads it while it is imported and does not import without it.

`agentlab.experiments.study` imports that module whatever the benchmark is, so offline no study can even be built or
unpickled. The download is attempted as before; where it fails, an empty stand-in is found in its place. Only WebArena's
evaluators read the data: `sentence_data_installed` tells whether they can.
"""

from __future__ import annotations

import io
import logging
import os
import shutil
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

RESOURCE = "punkt_tab"
STAND_IN = Path(__file__).parent / "nltk_offline"
IMPORTERS = frozenset({"browsergym.webarena", "browsergym.webarenalite", "browsergym.visualwebarena"})
_log = logging.getLogger(__name__)


class _BeforeWebArena(MetaPathFinder):
    """Sees to the data just before one of the modules that ask for it is loaded, and finds no module itself."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname in IMPORTERS:
            _find_or_stand_in()
        return None


def forgive_missing_nltk_data() -> None:
    """Make these imports work offline from now on, in this process and in children that inherit its environment."""
    if not any(isinstance(finder, _BeforeWebArena) for finder in sys.meta_path):
        sys.meta_path.insert(0, _BeforeWebArena())


def sentence_data_installed() -> bool:
    """Whether the real data is there, the stand-in not counted."""
    import nltk

    return _found(nltk, f"tokenizers/{RESOURCE}/english/")


def install_sentence_data() -> None:
    """Download the data into this Python environment. Raises ValueError with NLTK's reason where that fails."""
    import nltk

    _download(nltk, download_dir=str(Path(sys.prefix) / "nltk_data"))


def install_stand_in() -> None:
    """Put the empty stand-in into this Python environment, for processes that import AgentLab without focusagent."""
    shutil.copytree(STAND_IN, Path(sys.prefix) / "nltk_data", dirs_exist_ok=True)


def _find_or_stand_in() -> None:
    import nltk

    if _found(nltk, f"tokenizers/{RESOURCE}"):
        return
    try:
        _download(nltk)
    except (ValueError, OSError) as error:
        _log.info("NLTK's %s is missing (%s); `focusagent doctor --fix` installs it", RESOURCE, error)
        nltk.data.path.append(str(STAND_IN))
        inherited = os.environ.get("NLTK_DATA", "")
        os.environ["NLTK_DATA"] = f"{inherited}{os.pathsep if inherited else ''}{STAND_IN}"


def _download(nltk: ModuleType, **where: str) -> None:
    """Raises ValueError with NLTK's reason, which it would print as well."""
    nltk.download(RESOURCE, quiet=True, raise_on_error=True, print_error_to=io.StringIO(), **where)


def _found(nltk: ModuleType, resource: str) -> bool:
    try:
        nltk.data.find(resource)
    except LookupError:
        return False
    return True
