"""Ask for the return of an old order: find it in the history, open it, give a reason."""

from __future__ import annotations

import random
from collections.abc import Mapping

from focusagent.longpage.content import word_list
from focusagent.longpage.outcome import added
from focusagent.longpage.page import Page
from focusagent.longpage.shop.reading import row_of, scroll_on
from focusagent.longpage.shop.world import ShopState
from focusagent.longpage.template import Past, Posed, Template
from focusagent.scripted.policies import Plan
from focusagent.scripted.steps import click, select


class ReturnOrder(Template[ShopState]):
    name = "return_order"
    kind = "form"
    steps = 4
    pages = 2
    label = "Ask for a label"
    wordings = (
        'The "{title}" from {date} must go back to the shop. Grounds: {reason}',
        'I want my money back for the "{title}" that I bought on {date}. The reason is {reason}',
    )

    def pose(self, state: ShopState, draw: random.Random) -> Posed:
        order = draw.choice(state.orders)
        reason = draw.choice(word_list("products")["returns"])
        slots = {"title": order.product.title, "date": order.date, "reason": reason}
        return Posed(slots, "/orders", added(("return", order.id, reason)))

    def act(self, slots: Mapping[str, str], page: Page, past: Past) -> Plan:
        reason = page.closest("Reason", "combobox")
        if reason is None:
            return scroll_on(page, slots["date"], past) or click(
                row_of(page, "Order details", "link", slots["title"], slots["date"]), "I open the order."
            )
        if page.value(reason) != slots["reason"]:
            return select(reason, slots["reason"], "I give the reason.")
        return click(page.closest("Ask for a label", "button"), "I ask for the return.")


TASK = ReturnOrder()
