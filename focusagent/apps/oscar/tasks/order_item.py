"""What was bought in an order: find the order in a long table, open it, read."""

from __future__ import annotations

import random
from collections.abc import Mapping

from focusagent.apps.database import World
from focusagent.apps.reading import row_with
from focusagent.apps.template import AppTemplate
from focusagent.longpage.outcome import Answered
from focusagent.longpage.page import Page
from focusagent.longpage.template import Past, Posed
from focusagent.scripted.policies import Plan
from focusagent.scripted.steps import click, say


class OrderItem(AppTemplate):
    name = "order_item"
    kind = "seeking"
    login = "admin"
    steps = 2
    pages = 2
    label = "View"
    wordings = (
        "Which article was sent to the customer of order {number}? Tell me what it is called.",
        "Order {number} holds a single article. What is its name?",
    )

    def pose(self, world: World, draw: random.Random) -> Posed:
        orders = world.rows(
            """SELECT o.number, l.title FROM order_order o JOIN order_line l ON l.order_id = o.id GROUP BY o.id
               HAVING COUNT(*) = 1 ORDER BY o.date_placed DESC LIMIT 50"""
        )
        order = draw.choice(orders)
        rivals = tuple({str(other["title"]) for other in orders} - {str(order["title"])})
        return Posed({"number": str(order["number"])}, "/dashboard/orders/", Answered(str(order["title"]), rivals))

    def act(self, slots: Mapping[str, str], page: Page, past: Past) -> Plan:
        if page.named("Order Details", "heading") is not None:
            titles = [line.name for line in page.all("link") if "/catalogue/products/" in line.text]
            return say(next(iter(titles), "unknown"), "The product stands among the items.")
        row = row_with(page, slots["number"], roles=("row",))
        return click(page.closest("View", "link", within=row) if row else None, "I open the order.")


TASK = OrderItem()
