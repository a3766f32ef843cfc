"""The action gate through one episode: what it learns from pages, and what it refuses before it runs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from focusagent.agents.shim import goal_text
from focusagent.focused import Focused
from focusagent.security.gate import Gate, Verdict
from focusagent.security.origins import origin_of

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

    def arrive(self, obs: dict[str, Any]) -> str:
        """Call with each page, before all else. The origin that the last step has taught, "" where it taught none."""
        gate, last, url = self._opened(obs), self._last, str(obs.get("url") or "")
        self._last = None
        learned = last is not None and gate.learn(last.action, last.url, url, last.withheld)
        return str(origin_of(url)) if learned else ""

    def check(self, action: str | None, obs: dict[str, Any], focused: Focused) -> Verdict:
        """Judge the action chosen on this page; call `left` with the one that is sent."""
        return self._opened(obs).check(action or "", focused.tree, tuple(obs.get("open_pages_urls") or ()))

    def _opened(self, obs: dict[str, Any]) -> Gate:
        self.gate = self.gate or Gate(str(obs.get("url") or ""), goal_text(obs), self.allow)
        return self.gate

    def left(self, action: str | None, obs: dict[str, Any], focused: Focused) -> None:
        withheld = frozenset(bid for number in focused.flagged if (bid := focused.tree.line(number).bid))
        self._last = _Step(action or "", str(obs.get("url") or ""), withheld)
