"""Open a file among many of similar names and read a number in it."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping

from focusagent.longpage.code.world import CodeState
from focusagent.longpage.outcome import Answered
from focusagent.longpage.page import Page
from focusagent.longpage.template import Past, Posed, Template
from focusagent.scripted.policies import Plan
from focusagent.scripted.steps import click, say


class FindConstant(Template[CodeState]):
    name = "find_constant"
    kind = "seeking"
    steps = 2
    pages = 2
    wordings = (
        "To which number is {name} set in {path}?",
        "I need the value of {name}, it is defined in {path}.",
    )

    def pose(self, state: CodeState, draw: random.Random) -> Posed:
        path = draw.choice(list(state.files))
        values = state.constants(path)
        name = draw.choice(list(values))
        rivals = tuple(str(value) for other, value in values.items() if other != name)
        return Posed({"name": name, "path": path}, "/", Answered(str(values[name]), rivals))

    def act(self, slots: Mapping[str, str], page: Page, past: Past) -> Plan:
        if page.named(slots["path"], "heading") is None:
            exact = (link for link in page.all("link") if link.name == slots["path"])
            return click(next(exact, None) or page.closest(slots["path"], "link"), "I open the file.")
        pattern = re.compile(rf"{re.escape(slots['name'])} = (\d+)")
        found = next((match for line in page.lines if (match := pattern.search(line.name))), None)
        return say(found[1] if found else "unknown", "The file says it.")


TASK = FindConstant()
