"""The address of a customer: narrow the list of customers down, then read a row."""

from __future__ import annotations

import random
from collections.abc import Mapping

from focusagent.apps.database import World
from focusagent.apps.reading import fill_form, row_with
from focusagent.apps.template import AppTemplate
from focusagent.longpage.outcome import Answered
from focusagent.longpage.page import Page
from focusagent.longpage.template import Past, Posed
from focusagent.scripted.policies import Plan
from focusagent.scripted.steps import click, say


class FindCustomer(AppTemplate):
    name = "find_customer"
    kind = "filter"
    login = "admin"
    steps = 3
    pages = 2
    label = "Search"
    wordings = (
        "What is the e-mail address of our customer {person}?",
        "I want to write to {person}, who buys from us. Give me the e-mail address.",
    )

    def pose(self, world: World, draw: random.Random) -> Posed:
        users = world.rows(
            "SELECT first_name || ' ' || last_name AS person, email FROM auth_user WHERE id > 2 ORDER BY id"
        )
        user = draw.choice(users)
        rivals = tuple(str(other["email"]) for other in users if other is not user)
        return Posed({"person": str(user["person"])}, "/dashboard/users/", Answered(str(user["email"]), rivals))

    def act(self, slots: Mapping[str, str], page: Page, past: Past) -> Plan:
        asked = fill_form(page, {"Name:": slots["person"]})
        if asked is not None:
            return asked
        if any(line.name.strip() == "All users" for line in page.all("heading")):
            return click(page.closest("Search", "button"), "I search for the name.")
        row = row_with(page, slots["person"], roles=("row",))
        addresses = [link.name for link in page.all("link", within=row) if "@" in link.name] if row else []
        return say(next(iter(addresses), "unknown"), "The address stands in the row.")


TASK = FindCustomer()
