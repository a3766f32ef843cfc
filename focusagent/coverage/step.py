"""One step with a known need: what coverage is measured on."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from focusagent.axtree import AxTree, LineRanges
from focusagent.axtree.properties import properties

_SEED = re.compile(r"(?:__|[._-])seed[_-]?\d+")
_HOST = re.compile(r"[a-z]+://([^/?#]*)")


@dataclass(frozen=True)
class Step:
    """One observation and what the agent needed on it. Just one of `target_id`, `needed` and `target_texts` is set.

    `needed` counts lines of `axtree`. `history` holds (thought, action) pairs, oldest first. The action taken is not
    here: it is the answer, and no retriever may see it. `site` names the site or application where the steps' file
    does."""

    goal: str
    axtree: str
    target_id: str = ""
    needed: LineRanges = LineRanges()
    target_texts: tuple[str, ...] = ()
    task_id: str = ""
    outcome: str = ""
    action_error: str = ""
    source: str = ""
    history: tuple[tuple[str, str], ...] = field(default=())
    site: str = ""

    @property
    def template(self) -> str:
        """The task without its seed; the goal where there is no task."""
        return _SEED.sub("", self.task_id) if self.task_id else self.goal

    @property
    def cluster(self) -> str:
        """What the errors of two steps are correlated by: their site where it is named, else their template."""
        return self.site or self.template

    @property
    def host(self) -> str:
        """The host of the page without its subdomains, port included; "" where the root names no URL."""
        root = AxTree.parse(self.axtree[: self.axtree.find("\n")] if "\n" in self.axtree else self.axtree).line(1)
        host = _HOST.match(properties(root).get("url", ""))
        return ".".join(host[1].split(".")[-2:]) if host else ""

    @property
    def last_action(self) -> str:
        """The action that led to the page; "" where the history is not known."""
        return self.history[-1][1] if self.history else ""

    @property
    def clean(self) -> bool:
        """Whether the episode succeeded and the action raised no error."""
        return self.outcome == "success" and not self.action_error
