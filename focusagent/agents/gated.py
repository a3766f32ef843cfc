"""The action gate through one episode: what it learns from pages, and what it refuses before it runs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from focusagent.agents.shim import goal_text
from focusagent.focuser import Focused
from focusagent.security.gate import Gate, Verdict

MAX_REFUSALS = 3


@dataclass(frozen=True)
class _Step:
    action: str
    url: str
    withheld: frozenset[str]


class Gatekeeper:
    """Opens with the first page and the goal; learns an origin when a click on vetted elements led there."""

    def __init__(self, allow: Iterable[str] = ()) -> None:
        self.allow = tuple(allow)
        self.gate: Gate | None = None
        self._last: _Step | None = None

    def check(self, action: str | None, obs: dict[str, Any], focused: Focused) -> Verdict:
        """Judge the action chosen on this page; call `left` with the one that is sent."""
        url = str(obs.get("url") or "")
        if self.gate is None:
            self.gate = Gate(url, goal_text(obs), self.allow)
        elif self._last is not None:
            self.gate.learn(self._last.action, self._last.url, url, self._last.withheld)
            self._last = None
        return self.gate.check(action or "", focused.tree, tuple(obs.get("open_pages_urls") or ()))

    def left(self, action: str | None, obs: dict[str, Any], focused: Focused) -> None:
        withheld = frozenset(bid for number in focused.flagged if (bid := focused.tree.line(number).bid))
        self._last = _Step(action or "", str(obs.get("url") or ""), withheld)
