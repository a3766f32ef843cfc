"""Put one of many products alike into the basket, from a long list."""

from __future__ import annotations

import random
from collections.abc import Mapping

from focusagent.apps.database import World
from focusagent.apps.outcome import Added, Changed
from focusagent.apps.template import AppTemplate
from focusagent.axtree import AxLine
from focusagent.longpage.page import Page
from focusagent.longpage.template import Past, Posed
from focusagent.scripted.policies import Plan
from focusagent.scripted.steps import click


class PutInBasket(AppTemplate):
    name = "put_in_basket"
    kind = "order"
    login = "visitor"
    steps = 1
    label = "Add to basket"
    wordings = (
        "I would like to have one {title}. Just collect it for now, I pay later.",
        "Take one {title} for me, I shall look for other things before I pay.",
    )

    def pose(self, world: World, draw: random.Random) -> Posed:
        shelf = draw.choice(world.rows("SELECT id, slug, path FROM catalogue_category WHERE depth = 1 ORDER BY path"))
        products = world.rows(
            """SELECT p.id, p.title FROM catalogue_product p JOIN catalogue_productcategory c ON c.product_id = p.id
               JOIN partner_stockrecord s ON s.product_id = p.id
               WHERE c.category_id = ? AND s.num_in_stock > 1 ORDER BY p.id""",
            shelf["id"],
        )
        product = draw.choice(products)
        line = Added("basket_line", {"product_id": product["id"], "quantity": 1})
        start = f"/catalogue/category/{shelf['slug']}_{shelf['id']}/"
        return Posed({"title": str(product["title"])}, start, Changed([line]))

    def act(self, slots: Mapping[str, str], page: Page, past: Past) -> Plan:
        product = page.best(page.all("article"), slots["title"], lambda line: _title(page, line))
        button = page.closest("Add to basket", "button", within=product) if product else None
        return click(button, "I put it into the basket.")


def _title(page: Page, article: AxLine) -> str:
    heading = next(iter(page.all("heading", within=article)), None)
    return heading.name if heading else ""


TASK = PutInBasket()
