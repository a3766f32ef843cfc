"""Change the name in one's account: profile, form, save."""

from __future__ import annotations

import random
from collections.abc import Mapping

from focusagent.apps.database import World
from focusagent.apps.outcome import Changed, Updated
from focusagent.apps.reading import fill_form
from focusagent.apps.template import AppTemplate
from focusagent.longpage.page import Page
from focusagent.longpage.template import Past, Posed
from focusagent.scripted.policies import Plan
from focusagent.scripted.steps import click


class ChangeName(AppTemplate):
    name = "change_name"
    kind = "settings"
    login = "visitor"
    steps = 3
    pages = 2
    label = "Edit profile"
    wordings = (
        "I got married: my family name is {name} now. Put that into my account.",
        "My surname became {name}. Please see that the shop knows it.",
    )

    def pose(self, world: World, draw: random.Random) -> Posed:
        name = draw.choice(("Lindqvist", "Okafor", "Delgado", "Albrecht", "Moreau", "Zimmer"))
        changed = Updated("auth_user", {"username": "visitor"}, {"last_name": name})
        return Posed({"name": name}, "/accounts/profile/", Changed([changed]))

    def act(self, slots: Mapping[str, str], page: Page, past: Past) -> Plan:
        save = next((line for line in page.all("button") if line.name == "Save"), None)
        if save is None:
            return click(page.closest("Edit profile", "link"), "I open the form.")
        return fill_form(page, {"Last name": slots["name"]}) or click(save, "I save it.")


TASK = ChangeName()
