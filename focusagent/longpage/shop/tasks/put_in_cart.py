"""Find a product among look-alikes, choose its options, put some pieces into the cart."""

from __future__ import annotations

import random
from collections.abc import Mapping

from focusagent.longpage.outcome import added
from focusagent.longpage.page import Page
from focusagent.longpage.shop.world import ShopState
from focusagent.longpage.template import Past, Posed, Template
from focusagent.scripted.policies import Plan
from focusagent.scripted.steps import click, select


class PutInCart(Template[ShopState]):
    name = "put_in_cart"
    kind = "order"
    steps = 5
    pages = 3
    label = "Add to cart"
    wordings = (
        'Place {count} of the "{title}" ({colour}; {size}) in my basket, but do not pay yet.',
        'I need {count} pieces of "{title}", {colour} and {size}. Just collect them, I will pay later.',
    )

    def pose(self, state: ShopState, draw: random.Random) -> Posed:
        category = draw.choice(state.categories[:2])
        held = {line[0].id for line in state.cart()}
        products = [p for p in state.listed(category, {}, "featured") if p.stock > 3]
        product = draw.choice([p for p in products if p.id not in held] or products)
        colour, size, count = draw.choice(product.colours), draw.choice(product.sizes), str(draw.randint(2, 5))
        state.facts -= {fact for fact in state.facts if fact[:2] == ("cart", product.id)}
        state.begin()
        slots = {"title": product.title, "colour": colour, "size": size, "count": count}
        fact = ("cart", product.id, state.choice(product, colour, size), count)
        return Posed(slots, f"/c/{category}", added(fact))

    def act(self, slots: Mapping[str, str], page: Page, past: Past) -> Plan:
        if page.named("Quantity", "combobox") is None:
            return click(page.closest(slots["title"], "link"), "I open the product.")
        colour = page.closest(slots["colour"], "radio")
        if colour is not None and not page.has(colour, "checked", "true"):
            return click(colour, "I choose the colour.")
        for field in page.all("combobox"):
            wanted = slots["count"] if field.name == "Quantity" else slots["size"]
            if page.value(field) != wanted:
                return select(field, wanted, f"I choose {wanted}.")
        return click(page.closest("Add to cart", "button"), "Everything is chosen; into the cart it goes.")


TASK = PutInCart()
