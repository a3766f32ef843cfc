"""`focusagent xray`: AgentXray on a folder of results."""

from __future__ import annotations

import os
import socket
from pathlib import Path

from focusagent.errors import UserError
from focusagent.printing import say


def run_xray(folder: Path, port: int = 0) -> None:
    """Serve AgentXray until Ctrl-C. It lists the studies in a folder, so for a study's own folder its parent is used.

    Raises UserError where there is nothing to show."""
    folder = folder.resolve()
    if not folder.is_dir():
        raise UserError(f"{folder} is no folder", exit_code=2)
    if next(folder.glob("**/exp_args.pkl"), None) is None:
        raise UserError(f"{folder} holds no results of AgentLab")
    root = folder.parent if any(folder.glob("*/exp_args.pkl")) else folder
    os.environ["AGENTLAB_EXP_ROOT"] = str(root)
    os.environ["AGENTXRAY_APP_PORT"] = str(port or free_port())
    os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")
    say(f"AgentXray on http://127.0.0.1:{os.environ['AGENTXRAY_APP_PORT']} - {_how_to(folder, root)} (Ctrl-C stops)")
    from agentlab.analyze.agent_xray import main

    main()


def _how_to(folder: Path, root: Path) -> str:
    return "pick a study" if folder == root else f"pick {folder.name}, then an agent and a task"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
