"""Environment variables that the stack reads: defaults only, what the user has set is respected."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path


def use_packaged_miniwob() -> None:
    """Point MINIWOB_URL at the task pages that the `miniwob` package ships: BrowserGym raises without it."""
    spec = find_spec("miniwob")
    if spec is not None and spec.origin is not None:
        pages = Path(spec.origin).parent / "html" / "miniwob"
        os.environ.setdefault("MINIWOB_URL", pages.as_uri() + "/")


def quieten_ray() -> None:
    """Keep Ray from repeating on the terminal what each episode logs into its own file. Call before Ray is imported."""
    os.environ.setdefault("RAY_LOG_TO_DRIVER", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
