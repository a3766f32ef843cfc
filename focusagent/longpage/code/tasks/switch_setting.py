"""Flip one switch in a page of sections that have a save button each."""

from __future__ import annotations

import random
from collections.abc import Mapping

from focusagent.longpage.code.world import CodeState, code_words
from focusagent.longpage.outcome import added, removed
from focusagent.longpage.page import Page
from focusagent.longpage.template import Past, Posed, Template
from focusagent.scripted.policies import Plan
from focusagent.scripted.steps import click


class SwitchSetting(Template[CodeState]):
    name = "switch_setting"
    kind = "form"
    steps = 3
    pages = 2
    label = "Save changes"
    wordings = (
        'In the repository\'s configuration, turn "{setting}" {way}.',
        'Make sure that "{setting}" is {way} from now on.',
    )

    def pose(self, state: CodeState, draw: random.Random) -> Posed:
        setting = draw.choice([name for names in code_words()["settings"].values() for name in names])
        fact = ("setting", setting)
        on = fact in state.facts
        outcome = removed(fact) if on else added(fact)
        return Posed({"setting": setting, "way": "off" if on else "on"}, "/", outcome)

    def act(self, slots: Mapping[str, str], page: Page, past: Past) -> Plan:
        if page.named("Settings", "heading") is None:
            return click(page.closest("Settings", "link"), "I open the settings.")
        box = page.closest(slots["setting"], "checkbox")
        wanted = "true" if slots["way"] == "on" else "false"
        if box is not None and not page.has(box, "checked", wanted):
            return click(box, "I flip the switch.")
        buttons = [line for line in page.all("button") if line.name == "Save changes"]
        after = [line for line in buttons if box is None or line.number > box.number]
        return click(next(iter(after or buttons), None), "I save this section.")


TASK = SwitchSetting()
