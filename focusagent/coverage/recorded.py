"""Steps of episodes that AgentLab has recorded, whatever the agent: the element acted on is the need."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from focusagent.actions import bids_of
from focusagent.axtree import AxTree
from focusagent.coverage.step import Step
from focusagent.observation import drop_inline_text_boxes
from focusagent.results.records import UnreadableRecord, get, read_record

_UNREADABLE = "what became of the action cannot be read"


def steps_of_results(folder: Path, left_out: Callable[[str], None]) -> Iterator[Step]:
    """Every step below `folder` that acted on an element of its page. A damaged file costs its own step, an episode
    without readable arguments all of its steps; `left_out` is told of each in a line."""
    for arguments in sorted(folder.rglob("exp_args.pkl")):
        try:
            task = str(get(read_record(arguments), "env_args.task_name", ""))
        except UnreadableRecord as error:
            left_out(f"{arguments.parent}: {error}")
            continue
        yield from _from_episode(arguments.parent, task, left_out)


def _from_episode(folder: Path, task: str, left_out: Callable[[str], None]) -> Iterator[Step]:
    infos = [_read(path, left_out) for path in sorted(folder.glob("step_*.pkl.gz"), key=_step_number)]
    done = sum(get(info, "reward", 0) for info in infos) > 0
    history: list[tuple[str, str]] = []
    for info, after in zip(infos, [*infos[1:], {}], strict=False):
        if info is None:
            continue
        action = str(get(info, "action", ""))
        tree = drop_inline_text_boxes(str(get(info, "obs.axtree_txt", "")))
        target = next(iter(bids_of(action)), "")
        if target in AxTree.parse(tree, "browsergym").by_bid:
            yield Step(
                goal=_goal_text(info),
                axtree=tree,
                target_id=target,
                task_id=task,
                outcome="success" if done else "failure",
                action_error=_UNREADABLE if after is None else str(get(after, "obs.last_action_error", "")),
                source=folder.parent.name,
                history=tuple(history),
            )
        history.append((str(get(info, "agent_info.think", "")), action))


def _read(path: Path, left_out: Callable[[str], None]) -> object:
    """None for a damaged step."""
    try:
        return read_record(path)
    except UnreadableRecord as error:
        left_out(f"{path.parent}: {error}")
        return None


def _goal_text(info: object) -> str:
    """BrowserGym's goal: a text, or a list of chat messages with text parts."""
    goal = get(info, "obs.goal_object") or get(info, "obs.goal", "")
    if isinstance(goal, str):
        return goal
    return "\n".join(str(part.get("text", "")) for part in goal if part.get("type") == "text")


def _step_number(path: Path) -> int:
    return int(re.sub(r"\D", "", path.name) or 0)
