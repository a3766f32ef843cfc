"""`focusagent xray`: AgentXray on a folder of results."""

from __future__ import annotations

import os
import socket
from pathlib import Path

from focusagent.errors import UserError
from focusagent.printing import say
from focusagent.results.ledger import attempt_folders, current
from focusagent.results.paid import ledgers
from focusagent.results.seal import is_sealed


def run_xray(folder: Path, port: int = 0, trust: bool = False) -> None:
    """Serve AgentXray until Ctrl-C. It lists the studies in a folder, so for a study's own folder its parent is used.

    Raises UserError where there is nothing to show and, without `trust`, where an episode was not written by a study of
    this user: AgentXray loads pickles, and loading one runs what stands in it."""
    folder = folder.resolve()
    if not folder.is_dir():
        raise UserError(f"{folder} is no folder", exit_code=2)
    if next(folder.glob("**/exp_args.pkl"), None) is None:
        raise UserError(f"{folder} holds no results of AgentLab")
    root = folder.parent if any(folder.glob("*/exp_args.pkl")) else folder
    if not trust and (foreign := first_foreign(root)):
        raise UserError(
            f"{foreign} is no finished episode of your own `focusagent study` or `demo`, and AgentXray would run what"
            " its pickles say; --trust opens it all the same"
        )
    os.environ["AGENTLAB_EXP_ROOT"] = str(root)
    os.environ["AGENTXRAY_APP_PORT"] = str(port or free_port())
    os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")
    say(f"AgentXray on http://127.0.0.1:{os.environ['AGENTXRAY_APP_PORT']} - {_how_to(folder, root)} (Ctrl-C stops)")
    from agentlab.analyze.agent_xray import main

    main()


def first_foreign(root: Path) -> Path | None:
    """The first episode below `root` that carries no seal of this user's studies, as it lies there now."""
    sealed: dict[Path, str] = {}
    for folder, attempts in ledgers(root):
        sealed |= {(folder / one.folder).resolve(): one.seal for one in current(folder, attempts) if one.seal}
    for episode in attempt_folders(root):
        # AgentXray passes over what was moved aside.
        if episode.name.startswith(("_", ".")):
            continue
        known = sealed.get(episode.resolve(), "")
        if not known or not is_sealed(episode, known):
            return episode
    return None


def _how_to(folder: Path, root: Path) -> str:
    return "pick a study" if folder == root else f"pick {folder.name}, then an agent and a task"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
