"""The cheapest order of all: the table shows only some, so it must be sorted."""

from __future__ import annotations

import random
from collections.abc import Mapping

from focusagent.apps.database import World
from focusagent.apps.template import AppTemplate
from focusagent.longpage.outcome import Answered
from focusagent.longpage.page import Page
from focusagent.longpage.template import Past, Posed
from focusagent.scripted.policies import Plan
from focusagent.scripted.steps import click, say


class LeastOrder(AppTemplate):
    name = "least_order"
    kind = "sort"
    login = "admin"
    steps = 2
    pages = 2
    label = "Total inc tax"
    wordings = (
        "Which of all orders, old ones too, brought in the least money? Tell me its number.",
        "Find the very cheapest order that anyone ever placed here and tell me its number.",
    )

    def pose(self, world: World, draw: random.Random) -> Posed:
        numbers = world.texts("SELECT number FROM order_order ORDER BY CAST(total_incl_tax AS REAL), number")
        return Posed({}, "/dashboard/orders/", Answered(numbers[0], tuple(numbers[1:])))

    def act(self, slots: Mapping[str, str], page: Page, past: Past) -> Plan:
        head = page.closest("Total inc tax", "link")
        if head is not None and "dir=" not in head.text:
            return click(head, "I sort by total.")
        numbers = [line.name for line in page.all("cell") if line.name.isdecimal() and len(line.name) == 6]
        return say(next(iter(numbers), "unknown"), "The first row has the lowest total.")


TASK = LeastOrder()
