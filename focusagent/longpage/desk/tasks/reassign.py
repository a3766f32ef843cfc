"""Find an incident in a long list by its caller and text, and hand it to another group."""

from __future__ import annotations

import random
from collections.abc import Mapping

from focusagent.longpage.desk.world import DeskState, desk_words
from focusagent.longpage.outcome import added
from focusagent.longpage.page import Page
from focusagent.longpage.template import Past, Posed, Template
from focusagent.scripted.policies import Plan
from focusagent.scripted.steps import click, select


class Reassign(Template[DeskState]):
    name = "reassign"
    kind = "form"
    steps = 3
    pages = 2
    label = "Assignment group"
    wordings = (
        '{caller} wrote "{summary}" on {opened}. The {group} people should look after that.',
        'On {opened}, {caller} reported "{summary}". Pass it to {group}, please.',
    )

    def pose(self, state: DeskState, draw: random.Random) -> Posed:
        incident = draw.choice(list(state.incidents.values()))
        group = draw.choice([name for name in desk_words()["groups"] if name != incident.group])
        slots = {"caller": incident.caller, "summary": incident.summary, "opened": incident.opened, "group": group}
        return Posed(slots, "/?frame=/list", added(("set", incident.number, "group", group)))

    def act(self, slots: Mapping[str, str], page: Page, past: Past) -> Plan:
        group = page.closest("Assignment group", "combobox")
        if group is None or page.named("Update", "button") is None:
            row = page.best(page.all("row"), f"{slots['caller']} {slots['summary']} {slots['opened']}", page.text)
            links = page.all("link", within=row) if row else []
            return click(next(iter(links), None), "I open the incident.")
        if page.value(group) != slots["group"]:
            return select(group, slots["group"], "I choose the group.")
        return click(page.closest("Update", "button"), "I save it.")


TASK = Reassign()
