"""What did an old order cost in all? It stands on a row of the history that only scrolling brings up."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping

from focusagent.longpage.outcome import Answered
from focusagent.longpage.page import Page
from focusagent.longpage.shop.goods import money
from focusagent.longpage.shop.reading import order_rows, scroll_on
from focusagent.longpage.shop.world import ShopState
from focusagent.longpage.template import Past, Posed, Template
from focusagent.scripted.policies import Plan
from focusagent.scripted.steps import click, say


class OrderTotal(Template[ShopState]):
    name = "order_total"
    kind = "seeking"
    steps = 3
    pages = 2
    label = "Total"
    wordings = (
        "How much money did I spend on the order of {date}, shipping included?",
        "Tell me what the order of {date} came to.",
    )

    def pose(self, state: ShopState, draw: random.Random) -> Posed:
        order = draw.choice(state.older)
        rivals = tuple(money(other.total) for other in state.orders if other is not order)
        return Posed({"date": order.date}, "/account", Answered(money(order.total), rivals))

    def act(self, slots: Mapping[str, str], page: Page, past: Past) -> Plan:
        if not page.title.startswith("Your orders"):
            return click(page.closest("All orders", "link"), "I open the list of my orders.")
        scrolling = scroll_on(page, slots["date"], past)
        if scrolling is not None:
            return scrolling
        named = order_rows(page, slots["date"])
        others = (text for row in page.all("listitem") if "Total" in (text := page.text(row)))
        sum_shown = re.search(r"€[\d,.]*\d", next(iter(named), "") or next(others, ""))
        return say(sum_shown[0] if sum_shown else "unknown", "The total stands on the order's row.")


TASK = OrderTotal()
