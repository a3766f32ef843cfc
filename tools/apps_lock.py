"""Resolve the packages that each `app.yaml` names into its `lock.txt`: `python tools/apps_lock.py [APP]...`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from focusagent.apps.app import APPS

OPTIONS = ("--quiet", "--universal", "--python-version=3.11", "--no-emit-index-url", "--no-annotate")


def main(names: list[str]) -> None:
    uv = Path(sys.executable).parent / "uv"
    for name in names or list(APPS):
        app = APPS[name]
        command = [str(uv), "pip", "compile", *OPTIONS, "--custom-compile-command", "make apps-lock"]
        subprocess.run(
            [*command, "--output-file", str(app.lock), "-"],
            input="\n".join(app.spec.packages),
            text=True,
            check=True,
            env={"UV_SYSTEM_CERTS": "1", **os.environ},
        )


if __name__ == "__main__":
    main(sys.argv[1:])
