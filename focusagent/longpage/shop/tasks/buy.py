"""Buy one product: options, cart, and a checkout of three steps."""

from __future__ import annotations

import random
from collections.abc import Mapping

from focusagent.longpage.content import word_list
from focusagent.longpage.outcome import added
from focusagent.longpage.page import Page
from focusagent.longpage.shop.app import product_path
from focusagent.longpage.shop.world import ShopState
from focusagent.longpage.template import Past, Posed, Template
from focusagent.scripted.policies import Plan
from focusagent.scripted.steps import click, select


class Buy(Template[ShopState]):
    name = "buy"
    kind = "order"
    steps = 10
    pages = 5
    label = "Place order"
    wordings = (
        'Buy this product in {colour}, {size}. Ship it to "{address}" by {delivery} and charge it to "{card}".',
        'Please get me one of these, {colour}, {size}. Address: "{address}" Delivery: {delivery} Payment: "{card}"',
    )

    def pose(self, state: ShopState, draw: random.Random) -> Posed:
        for product, choice, _ in state.cart():
            state.set_count(product, choice, 0)
        state.begin()
        product, words = state.featured, word_list("products")
        slots = {
            "colour": draw.choice(product.colours),
            "size": draw.choice(product.sizes),
            "address": draw.choice(state.addresses),
            "delivery": draw.choice(words["shipping"])[0],
            "card": draw.choice(words["cards"]),
        }
        choice = state.choice(product, slots["colour"], slots["size"])
        fact = ("order", product.id, choice, "1", slots["address"], slots["delivery"], slots["card"])
        return Posed(slots, product_path(product), added(fact))

    def act(self, slots: Mapping[str, str], page: Page, past: Past) -> Plan:
        if page.title.startswith("Your cart"):
            return click(page.closest("Checkout", "link"), "I go to the checkout.")
        for number, slot in enumerate(("address", "delivery", "card"), 1):
            if page.title.startswith(f"Checkout {number}"):
                return self._choose(page, slots[slot])
        colour = page.closest(slots["colour"], "radio")
        if colour is not None and not page.has(colour, "checked", "true"):
            return click(colour, "I choose the colour.")
        size = next((field for field in page.all("combobox") if field.name != "Quantity"), None)
        if size is not None and page.value(size) != slots["size"]:
            return select(size, slots["size"], "I choose the size.")
        return click(page.closest("Add to cart", "button"), "I put it into the cart.")

    def _choose(self, page: Page, wanted: str) -> Plan:
        choice = page.closest(wanted, "radio")
        if choice is not None and not page.has(choice, "checked", "true"):
            return click(choice, f"I choose {wanted}.")
        button = page.named("Place order", "button") or page.closest("Continue", "button")
        return click(button, "On to the next step.")


TASK = Buy()
