"""Whose order had this total? One row of a long table."""

from __future__ import annotations

import random
from collections.abc import Mapping

from focusagent.apps.database import World
from focusagent.apps.template import AppTemplate
from focusagent.longpage.outcome import Answered
from focusagent.longpage.page import Page
from focusagent.longpage.template import Past, Posed
from focusagent.scripted.policies import Plan
from focusagent.scripted.steps import say


class WhoOrdered(AppTemplate):
    name = "who_ordered"
    kind = "seeking"
    login = "admin"
    steps = 1
    wordings = (
        "Someone's order came to exactly {total}. Tell me that customer's full name.",
        "Whose order was worth {total}? I need first and last name.",
    )

    def pose(self, world: World, draw: random.Random) -> Posed:
        orders = world.rows(
            """SELECT o.total_incl_tax AS total, u.first_name || ' ' || u.last_name AS person FROM order_order o
               JOIN auth_user u ON u.id = o.user_id ORDER BY o.date_placed DESC LIMIT 118"""
        )
        totals = [order["total"] for order in orders]
        order = draw.choice([order for order in orders if totals.count(order["total"]) == 1])
        rivals = tuple({str(other["person"]) for other in orders} - {str(order["person"])})
        slots = {"total": f"£{float(str(order['total'])):.2f}"}
        return Posed(slots, "/dashboard/orders/", Answered(str(order["person"]), rivals))

    def act(self, slots: Mapping[str, str], page: Page, past: Past) -> Plan:
        cells = [line for line in page.all("cell") if line.name == slots["total"]]
        row = page.container(cells[0], "row") if cells else None
        names = [link.name for link in page.all("link", within=row) if "/users/" in link.text] if row else []
        return say(next(iter(names), "unknown"), "The name stands in the order's row.")


TASK = WhoOrdered()
