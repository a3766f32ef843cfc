"""The timeline of an episode in xray: at which steps the page was looked at, why, and what the detector said."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from focusagent.signals import Decision, Signals

MAX_TEXT = 300
_BEFORE = "<h2>Figures</h2>"


@dataclass(frozen=True)
class Entry:
    """One step. `look` is fresh, incremental, carried or planned; texts come from pages and models, so are data."""

    look: str
    signals: tuple[str, ...]
    why: str
    action: str


@dataclass
class Timeline:
    """The steps so far, and the table of them."""

    entries: list[Entry] = field(default_factory=list)

    def add(self, look: str, signals: Signals | None, why: str, action: str | None) -> None:
        kinds = dict.fromkeys(str(signal.kind) for signal in (signals.fired if signals is not None else ()))
        self.entries.append(Entry(look, tuple(kinds), why[:MAX_TEXT], (action or "(none)")[:MAX_TEXT]))

    def add_decision(self, decision: Decision, action: str | None, skip: str = "") -> None:
        """The last decision on reuse; `skip` says why there was none at this step."""
        if skip:
            self.add("carried", None, f"no retriever was asked: {skip}", action)
        else:
            self.add(decision.look, decision.signals, decision.why, action)

    def put_into(self, page: str) -> str:
        """The step's page with the table in front of its figures; safe to encode, whatever the strings hold."""
        table = _template().render(entries=self.entries)
        return page.replace(_BEFORE, table + _BEFORE, 1).encode("utf-8", "replace").decode()


@lru_cache(maxsize=1)
def _template() -> Template:
    loader = PackageLoader("focusagent.agents", "templates")
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined).get_template("timeline.html.j2")
