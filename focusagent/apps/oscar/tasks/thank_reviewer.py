"""Vote for one person's review on a product page with dozens of them."""

from __future__ import annotations

import random
from collections.abc import Mapping

from focusagent.apps.database import World
from focusagent.apps.outcome import Added, Changed, Updated
from focusagent.apps.template import AppTemplate
from focusagent.longpage.page import Page
from focusagent.longpage.template import Past, Posed
from focusagent.scripted.policies import Plan
from focusagent.scripted.steps import click


class ThankReviewer(AppTemplate):
    name = "thank_reviewer"
    kind = "moderation"
    login = "visitor"
    steps = 1
    label = "Yes"
    wordings = (
        "What {person} says about this was of use to me. Tell the shop so.",
        "I liked the review by {person}: it helped me, please give it my vote.",
    )

    def pose(self, world: World, draw: random.Random) -> Posed:
        long = world.rows(
            """SELECT product_id FROM reviews_productreview WHERE status = 1 GROUP BY product_id
               HAVING COUNT(*) > 20 ORDER BY product_id"""
        )
        product = draw.choice(long)["product_id"]
        reviews = world.rows(
            """SELECT r.id, u.first_name || ' ' || u.last_name AS person, p.slug FROM reviews_productreview r
               JOIN auth_user u ON u.id = r.user_id JOIN catalogue_product p ON p.id = r.product_id
               WHERE r.product_id = ? AND r.status = 1 ORDER BY r.id""",
            product,
        )
        review = draw.choice(reviews)
        vote = Added("reviews_vote", {"review_id": review["id"], "delta": 1})
        counted = Updated("reviews_productreview", {"id": review["id"]}, {"total_votes": 1, "delta_votes": 1})
        start = f"/catalogue/{review['slug']}_{product}/reviews/"
        return Posed({"person": str(review["person"])}, start, Changed([vote, counted]))

    def act(self, slots: Mapping[str, str], page: Page, past: Past) -> Plan:
        review = page.best(page.all("article"), slots["person"], page.text)
        return click(page.closest("Yes", "button", within=review) if review else None, "I say that it helped.")


TASK = ThankReviewer()
