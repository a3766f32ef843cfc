"""Steps of episodes that AgentLab has recorded, whatever the agent: the element acted on is the need."""

from __future__ import annotations

import gzip
import pickle
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from focusagent.axtree import AxTree
from focusagent.coverage.steps import Step, UnreadableSteps
from focusagent.observation import drop_inline_text_boxes

_TARGET = re.compile(r"^\s*\w+\(\s*(?:bid\s*=\s*)?['\"]([A-Za-z0-9]+)['\"]\s*[,)]")


def steps_of_results(folder: Path) -> Iterator[Step]:
    """Every step below `folder` that acted on an element of its page. Raises UnreadableSteps for a broken file."""
    for arguments in sorted(folder.rglob("exp_args.pkl")):
        yield from _from_episode(arguments.parent)


def _from_episode(folder: Path) -> Iterator[Step]:
    infos = [_unpickle(path) for path in sorted(folder.glob("step_*.pkl.gz"), key=_step_number)]
    task = str(getattr(getattr(_unpickle(folder / "exp_args.pkl"), "env_args", None), "task_name", ""))
    done = bool(infos) and sum(getattr(info, "reward", 0) or 0 for info in infos) > 0
    history: list[tuple[str, str]] = []
    for info, after in zip(infos, [*infos[1:], None], strict=False):
        observation, action = info.obs or {}, info.action or ""
        tree = drop_inline_text_boxes(observation.get("axtree_txt") or "")
        target = _TARGET.match(action)
        if target and target[1] in AxTree.parse(tree).by_bid:
            error = ((after.obs or {}).get("last_action_error") or "") if after else ""
            yield Step(
                goal=_goal_text(observation),
                axtree=tree,
                target_id=target[1],
                task_id=task,
                outcome="success" if done else "failure",
                action_error=error,
                source=folder.parent.name,
                history=tuple(history),
            )
        history.append((str((info.agent_info or {}).get("think") or ""), action))


def _goal_text(observation: Mapping[str, Any]) -> str:
    """BrowserGym's goal: a text, or a list of chat messages with text parts."""
    goal = observation.get("goal_object") or observation.get("goal") or ""
    if isinstance(goal, str):
        return goal
    return "\n".join(str(part.get("text", "")) for part in goal if part.get("type") == "text")


def _step_number(path: Path) -> int:
    return int(re.sub(r"\D", "", path.name) or 0)


def _unpickle(path: Path) -> Any:
    opener = gzip.open if path.suffix == ".gz" else open
    try:
        with opener(path, "rb") as file:
            return pickle.load(file)
    except Exception as error:
        raise UnreadableSteps(f"{path}: {error}") from error
