"""Take one line out of a full cart; every line has the same button."""

from __future__ import annotations

import random
from collections.abc import Mapping

from focusagent.longpage.outcome import removed
from focusagent.longpage.page import Page
from focusagent.longpage.shop.reading import row_of
from focusagent.longpage.shop.world import ShopState
from focusagent.longpage.template import Past, Posed, Template
from focusagent.scripted.policies import Plan
from focusagent.scripted.steps import click


class RemoveLine(Template[ShopState]):
    name = "remove_line"
    kind = "list"
    steps = 1
    label = "Remove"
    wordings = (
        'I changed my mind about the "{title}" in {choice}. Drop it, keep the rest.',
        'The "{title}" ({choice}) should not be bought after all. Everything else stays.',
    )

    def pose(self, state: ShopState, draw: random.Random) -> Posed:
        product, choice, count = draw.choice(state.cart())
        fact = ("cart", product.id, choice, str(count))
        return Posed({"title": product.title, "choice": choice}, "/cart", removed(fact))

    def act(self, slots: Mapping[str, str], page: Page, past: Past) -> Plan:
        return click(row_of(page, "Remove", "button", slots["title"], slots["choice"]), "I remove this line.")


TASK = RemoveLine()
