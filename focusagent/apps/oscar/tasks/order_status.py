"""Move an order on by one stage: find it in a long table, open it, change its status."""

from __future__ import annotations

import random
from collections.abc import Mapping

from focusagent.apps.database import World
from focusagent.apps.outcome import ANY, Added, Changed, Updated
from focusagent.apps.reading import row_with
from focusagent.apps.template import AppTemplate
from focusagent.longpage.page import Page
from focusagent.longpage.template import Past, Posed
from focusagent.scripted.policies import Plan
from focusagent.scripted.steps import click


class OrderStatus(AppTemplate):
    name = "order_status"
    kind = "form"
    login = "admin"
    steps = 2
    pages = 2
    label = "Change status"
    wordings = (
        "The parcel for order {number} is being packed. Move it on by one stage.",
        "Please take order {number} to the next stage, the warehouse has begun with it.",
    )

    def pose(self, world: World, draw: random.Random) -> Posed:
        order = draw.choice(
            world.rows("SELECT id, number FROM order_order WHERE status = 'Pending' ORDER BY id DESC LIMIT 30")
        )
        moved = Updated("order_order", {"id": order["id"]}, {"status": "Being processed"})
        logged = Added("order_orderstatuschange", {"order_id": order["id"], "new_status": "Being processed"})
        aside = (
            Added("order_ordernote", {"order_id": order["id"]}),
            Updated("order_line", {"order_id": order["id"]}, {"status": ANY}),
        )
        return Posed({"number": str(order["number"])}, "/dashboard/orders/", Changed([moved, logged], aside))

    def act(self, slots: Mapping[str, str], page: Page, past: Past) -> Plan:
        if page.named("Order Details", "heading") is not None:
            return click(page.closest("Change status", "button"), "I move the order on.")
        row = row_with(page, slots["number"], roles=("row",))
        return click(page.closest("View", "link", within=row) if row else None, "I open the order.")


TASK = OrderStatus()
