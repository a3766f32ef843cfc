"""Reading a chat prompt the way the scripted backbone does: goal, tree, past actions and thoughts, error."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from focusagent.axtree import AxLine, AxTree

_GOAL = re.compile(r"## Goal:\n(.*?)(?=\n## Extra instructions:\n|\n# Observation of current step:\n|\Z)", re.DOTALL)
_TREE = re.compile(r"\n## AXTree:\n(.*?)(?=\n\n## |\n\n# |\Z)", re.DOTALL)
_ERROR = re.compile(r"\n## Error from previous action:\n(.*?)(?=\n\n# |\Z)", re.DOTALL)
_HISTORY = re.compile(r"\n# History of interaction with the task:\n(.*?)(?=\n# Action space:\n|\Z)", re.DOTALL)
_TAGGED = {tag: re.compile(rf"^<{tag}>\n(.*?)\n</{tag}>$", re.DOTALL | re.MULTILINE) for tag in ("think", "action")}
_STEP = re.compile(r"^## step \d+$", re.MULTILINE)


@dataclass(frozen=True)
class ReadPrompt:
    """What the prompt holds. `lines` are the tree's lines as shown, pruned or not; one action and one thought a past
    step ("" where the prompt leaves it out); `offers` are the names of the actions that the prompt describes."""

    goal: str
    lines: tuple[AxLine, ...]
    actions: tuple[str, ...]
    thoughts: tuple[str, ...]
    error: str = ""
    offers: frozenset[str] = frozenset()


def message_text(message: Mapping[str, Any]) -> str:
    """The text of one chat message in any of OpenAI's two shapes, images left out."""
    content = message["content"]
    if isinstance(content, str):
        return content
    return "\n".join(str(part["text"]) for part in content if "text" in part)


def prompt_text(messages: Iterable[Mapping[str, Any]]) -> str:
    """All messages' text, in order."""
    return "\n".join(message_text(message) for message in messages)


def read_prompt(messages: Iterable[Mapping[str, Any]]) -> ReadPrompt:
    """Read the last user message that has an observation; retry turns that follow it carry none. Missing parts are
    empty: a prompt that cannot be read is a page on which nothing is found."""
    texts = [message_text(message) for message in messages if message["role"] == "user"]
    text = next((text for text in reversed(texts) if "# Observation of current step:" in text), texts[-1])
    history = _STEP.split(_first(_HISTORY, text))[1:]
    return ReadPrompt(
        goal=_first(_GOAL, text).strip(),
        lines=_tree_lines(_first(_TREE, text)),
        actions=tuple(_first(_TAGGED["action"], step).strip() for step in history),
        thoughts=tuple(_first(_TAGGED["think"], step).strip() for step in history),
        error=_first(_ERROR, text).strip(),
        offers=frozenset(re.findall(r"^([a-z_]+)\(.*\)$", text.partition("\n# Action space:\n")[2], re.MULTILINE)),
    )


def _tree_lines(section: str) -> tuple[AxLine, ...]:
    """The tree follows the section's notes; each note ends with an empty line, which no tree has."""
    return AxTree.parse(section.rpartition("\n\n")[2].strip("\n"), "browsergym").lines if section else ()


def _first(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(text)
    return match[1] if match else ""
