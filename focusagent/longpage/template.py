"""A task template: one file each under a site's `tasks/`, with its goal's wordings, its outcome and its policy."""

from __future__ import annotations

import random
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Literal, TypeVar

from focusagent.axtree import AxLine
from focusagent.longpage.outcome import Outcome
from focusagent.longpage.page import Page, words
from focusagent.scripted.policies import Plan, register_policy
from focusagent.scripted.steps import click, give_up

Kind = Literal[
    "sort", "filter", "form", "order", "chart", "knowledge", "menu", "navigation", "writing", "seeking", "list",
    "settings", "dashboard", "moderation",
]  # fmt: skip
State = TypeVar("State")
FUNCTION_WORDS = frozenset(
    "a all and are as at be by do for from in is it my no not of on or so that the them then they this to up".split()
)
SLOT = re.compile(r"\{(\w+)\}")
COVERED = "Something covers the page; I close it."
PATIENCE = 3


@dataclass(frozen=True)
class Posed:
    """One instance of a template: the goal's slots, the page it starts on, and what success is."""

    slots: Mapping[str, str]
    start: str
    outcome: Outcome


@dataclass(frozen=True)
class Past:
    """What the prompt shows of the steps so far."""

    actions: Sequence[str]
    thoughts: Sequence[str]


class Template(ABC, Generic[State]):
    """`steps` is the length of the policy's run; `wordings` are the ways a person asks, with `{slots}`; `pages` how
    many pages the task visits; `label` what the control says that does it, "" where the goal says it too."""

    name: ClassVar[str]
    kind: ClassVar[Kind]
    steps: ClassVar[int]
    wordings: ClassVar[tuple[str, ...]]
    pages: ClassVar[int] = 1
    label: ClassVar[str] = ""
    split: ClassVar[Literal["train", "test"]] = "train"

    @abstractmethod
    def pose(self, state: State, draw: random.Random) -> Posed:
        """Choose an instance in this state."""

    @abstractmethod
    def act(self, slots: Mapping[str, str], page: Page, past: Past) -> Plan:
        """What a person who read the goal and this page would do next. Never raises, whatever lines are missing."""

    def goal(self, posed: Posed, draw: random.Random) -> str:
        return draw.choice(self.wordings).format_map(posed.slots)

    @property
    def foreign_label(self) -> bool:
        """Whether the label shares no content word with any wording."""
        asked = set(words(SLOT.sub(" ", " ".join(self.wordings)))) - FUNCTION_WORDS
        return bool(self.label) and not asked & set(words(self.label))

    def register(self) -> None:
        """Give the scripted backbone this template's policy, under each of its wordings."""
        for wording in self.wordings:
            register_policy(wording_pattern(wording), self._policy(wording))

    def _policy(self, wording: str) -> _Policy:
        return _Policy(self, re.compile(wording_pattern(wording), re.DOTALL))


@dataclass(frozen=True)
class _Policy:
    template: Template[Any]
    pattern: re.Pattern[str]

    def __call__(
        self, goal: str, lines: Sequence[AxLine], actions: Sequence[str], thoughts: Sequence[str]
    ) -> Sequence[str]:
        match = self.pattern.fullmatch(goal.strip())
        page = Page(lines)
        if list(thoughts[-PATIENCE:]) != [COVERED] * PATIENCE:
            if covered := page.escape():
                return Plan([covered], note=COVERED)
            if overlay := page.overlay():
                return click(overlay, COVERED)
        steps = [step for step in zip(actions, thoughts, strict=False) if step[1] != COVERED]
        past = Past([action for action, _ in steps], [thought for _, thought in steps])
        plan = self.template.act(match.groupdict() if match else {}, page, past)
        return give_up() if past.thoughts.count(plan.note) >= PATIENCE else plan


def wording_pattern(wording: str) -> str:
    """The wording as a pattern with a named group for each slot."""
    parts = SLOT.split(wording)
    return "".join(f"(?P<{part}>.+?)" if index % 2 else re.escape(part) for index, part in enumerate(parts))
