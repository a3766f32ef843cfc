"""The step as an HTML page: opens inside AgentXray and alone, needs no network, holds the tree once.

Everything from the page or a model is escaped by the template."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from browsergym.experiments.agent import AgentInfo
from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from focusagent.axtree import LineRanges
from focusagent.focused import Focused
from focusagent.models.call import Call

_NUMBERED = re.compile(r"(?:^[ \t]*\d+[ \t:|.\])][^\n]*\n?){4,}", re.MULTILINE)
_LIMIT = 20_000


@dataclass(frozen=True)
class TreeRow:
    """A line of the tree as shown; `state` is kept, removed or flagged."""

    number: int
    text: str
    state: str
    why: str


@lru_cache(maxsize=1)
def _template() -> Template:
    loader = PackageLoader("focusagent.agents", "templates")
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined).get_template("step.html.j2")


def step_page(goal: str, focused: Focused, info: AgentInfo, action: str | None) -> str:
    """The page of one step; safe to encode, whatever the strings hold."""
    selection = focused.selection
    page = _template().render(
        goal=goal,
        focused=focused,
        selection=selection,
        spans=_spans,
        stats=info.stats,
        rows=_rows(focused),
        calls=[(call, _conversation(call)) for call in selection.calls],
        think=info.think or "",
        action=action or "(none)",
    )
    return page.encode("utf-8", "replace").decode()


def _spans(ranges: LineRanges) -> str:
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in ranges.pairs)


def _rows(focused: Focused) -> list[TreeRow]:
    states = ["removed"] * len(focused.tree)
    for number in focused.ranges:
        states[number - 1] = "kept"
    for number in focused.flagged:
        states[number - 1] = "flagged"
    why = {number: str(text) for number, text in focused.selection.why.items()}
    why |= {number: "; ".join(reasons) for number, reasons in (focused.reasons or {}).items()}
    lines = zip(focused.tree.lines, states, strict=True)
    return [TreeRow(line.number, line.text[:_LIMIT], state, why.get(line.number, "")) for line, state in lines]


def _conversation(call: Call) -> list[tuple[str, str]]:
    """(role, text) of each message, the numbered page in it replaced by a remark: it stands in the tree already."""
    return [(str(message.get("role", "")), _without_page(_text(message.get("content")))) for message in call.messages]


def _without_page(text: str) -> str:
    return _NUMBERED.sub(lambda match: f"[… {match[0].count(chr(10))} numbered lines of the tree …]\n", text)[:_LIMIT]


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "[image]")) for part in content if isinstance(part, dict))
    return str(content or "")
