"""DefenseFocusAgent: the page is vetted before the backbone sees it, and whatever fails, fails closed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from focusagent.agents.focus_agent import FocusAgent, FocusAgentArgs
from focusagent.focuser import make_defence
from focusagent.security.vetted import Defence


class DefenseFocusAgent(FocusAgent):
    """FocusAgent with a defence: its checkpoint closes every other road from the page to either model."""


@dataclass
class DefenseFocusAgentArgs(FocusAgentArgs):
    """Never skips, gates navigation, detects and sanitises, masks secrets. `published=True` is the paper's agent
    instead: the defense prompt alone, failing open."""

    family: ClassVar[str] = "defense-focus"

    strategy: str = "defense"
    gate: bool = True
    skip_below: int = 0
    detect: bool = True
    sanitise: bool = True
    published: bool = False
    mask_secrets: bool = field(default=True, kw_only=True)

    @property
    def masks(self) -> bool:
        return self.mask_secrets and not self.published

    def make_retriever_kwargs(self) -> dict[str, Any]:
        """In the full defence a model that retrieves also names the lines that it takes for attacks."""
        asks = {"ask_flags": True} if self.uses_model and not self.published else {}
        return super().make_retriever_kwargs() | asks

    def make_defence(self) -> Defence | None:
        return None if self.published else make_defence(detect=self.detect, sanitise=self.sanitise)

    def make_agent(self) -> FocusAgent:
        return FocusAgent(self) if self.published else DefenseFocusAgent(self)
