"""DefenseFocusAgent: the page is vetted before the backbone sees it, and whatever fails, fails closed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from focusagent.agents.focus_agent import FocusAgent, FocusAgentArgs
from focusagent.agents.shim import goal_text
from focusagent.focused import Focused
from focusagent.focuser import make_defence
from focusagent.security.roads import close_roads, vet_actions, vet_texts
from focusagent.security.vetted import Defence


class DefenseFocusAgent(FocusAgent):
    """FocusAgent whose every other road from the page to either model is closed."""

    def look(self, obs: dict[str, Any]) -> Focused:
        return super().look(close_roads(obs))

    def shown(self, obs: dict[str, Any], focused: Focused) -> dict[str, Any]:
        withheld = [focused.tree.line(number).text for number in focused.flagged]
        self.thoughts: list[str | None] = vet_texts(self.thoughts, withheld, goal_text(obs))
        self.actions: list[str | None] = vet_actions(self.actions, withheld, goal_text(obs))
        return super().shown(close_roads(obs), focused)


@dataclass
class DefenseFocusAgentArgs(FocusAgentArgs):
    """Never skips, gates navigation, detects and sanitises. `published=True` is the paper's agent instead: the defense
    prompt alone, failing open."""

    family: ClassVar[str] = "defense-focus"

    strategy: str = "defense"
    gate: bool = True
    skip_below: int = 0
    detect: bool = True
    sanitise: bool = True
    published: bool = False

    def make_retriever_kwargs(self) -> dict[str, Any]:
        """In the full defence a model that retrieves also names the lines that it takes for attacks."""
        asks = {"ask_flags": True} if self.uses_model and not self.published else {}
        return super().make_retriever_kwargs() | asks

    def make_defence(self) -> Defence | None:
        return None if self.published else make_defence(detect=self.detect, sanitise=self.sanitise)

    def make_agent(self) -> FocusAgent:
        return FocusAgent(self) if self.published else DefenseFocusAgent(self)
