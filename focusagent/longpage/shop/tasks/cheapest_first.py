"""Bring a department into an order whose label has other words than the request."""

from __future__ import annotations

import random
from collections.abc import Mapping

from focusagent.longpage.outcome import Viewed
from focusagent.longpage.page import Page
from focusagent.longpage.shop.reading import in_department
from focusagent.longpage.shop.world import ShopState
from focusagent.longpage.template import Past, Posed, Template
from focusagent.scripted.policies import Plan
from focusagent.scripted.steps import click, select, wait


class CheapestFirst(Template[ShopState]):
    name = "cheapest_first"
    kind = "sort"
    steps = 2
    pages = 2
    label = "Price, low to high"
    wordings = (
        "Arrange the {category} department so that bargains come on top.",
        "Show me all of {category} beginning with what costs least.",
    )

    def pose(self, state: ShopState, draw: random.Random) -> Posed:
        category = draw.choice(state.categories[:2])
        return Posed({"category": category}, "/", Viewed(("list", category, "", "", "", "", "price")))

    def act(self, slots: Mapping[str, str], page: Page, past: Past) -> Plan:
        if not in_department(page, slots["category"]):
            return click(page.closest(slots["category"], "link"), "I go to the department.")
        order = page.closest("Sort by", "combobox")
        option = page.closest("Price, low to high", "option")
        if order is None or option is None:
            return wait("I look for the order of the list.")
        return select(order, option.name, "I sort by price.")


TASK = CheapestFirst()
