"""Narrow a department by brand and price, and change nothing else."""

from __future__ import annotations

import random
from collections.abc import Mapping

from focusagent.longpage.outcome import Viewed
from focusagent.longpage.page import Page
from focusagent.longpage.shop.reading import in_department
from focusagent.longpage.shop.world import ShopState
from focusagent.longpage.template import Past, Posed, Template
from focusagent.scripted.policies import Plan
from focusagent.scripted.steps import click, wait


class FilterProducts(Template[ShopState]):
    name = "filter_products"
    kind = "filter"
    steps = 3
    pages = 2
    label = "Up to"
    wordings = (
        "I want to look at {brand} things from {category} only, and nothing that costs over €{under}.",
        "What does {brand} make for {category} within €{under}? Leave the page showing just these.",
    )

    def pose(self, state: ShopState, draw: random.Random) -> Posed:
        category = draw.choice(state.categories[:2])
        product = draw.choice([p for p in state.listed(category, {}, "featured") if p.price <= 40_000])
        under = next(limit for limit in (50, 100, 200, 400) if product.price <= limit * 100)
        slots = {"brand": product.brand, "category": category, "under": str(under)}
        return Posed(slots, "/", Viewed(("list", category, product.brand, "", str(under), "", "featured")))

    def act(self, slots: Mapping[str, str], page: Page, past: Past) -> Plan:
        if not in_department(page, slots["category"]):
            return click(page.closest(slots["category"], "link"), "I go to the department.")
        if page.named(f"brand {slots['brand']}", "link") is None:
            return click(page.closest(slots["brand"], "link"), "I choose the brand.")
        if page.named(f"under {slots['under']}", "link") is None:
            return click(page.closest(f"Up to €{slots['under']}", "link"), "I choose the price.")
        return wait("The list is narrowed down.")


TASK = FilterProducts()
