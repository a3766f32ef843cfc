"""Approve one review among many alike: find its row, open it, choose from a list that a script draws."""

from __future__ import annotations

import random
from collections.abc import Mapping

from focusagent.apps.database import World
from focusagent.apps.outcome import ANY, Changed, Updated
from focusagent.apps.reading import pick, row_with
from focusagent.apps.template import AppTemplate
from focusagent.longpage.page import Page
from focusagent.longpage.template import Past, Posed
from focusagent.scripted.policies import Plan
from focusagent.scripted.steps import click

STATES = ("Requires moderation", "For moderation", "Approved", "Rejected")


class ApproveReview(AppTemplate):
    name = "approve_review"
    kind = "moderation"
    login = "admin"
    steps = 4
    pages = 2
    label = "Save"
    wordings = (
        'What {person} wrote about the {product} ("{title}") is fine. Let it appear as approved in the shop.',
        'Set the opinion "{title}" of {person} on the {product} to approved.',
    )

    def pose(self, world: World, draw: random.Random) -> Posed:
        shown = world.rows(
            """SELECT r.id, r.title, r.status, p.id AS product_id, p.title AS product,
               u.first_name || ' ' || u.last_name AS person
               FROM reviews_productreview r JOIN catalogue_product p ON p.id = r.product_id
               JOIN auth_user u ON u.id = r.user_id ORDER BY r.date_created DESC LIMIT 95"""
        )
        review = draw.choice([row for row in shown if row["status"] == 0])
        done = Updated("reviews_productreview", {"id": review["id"]}, {"status": 1})
        rated = Updated("catalogue_product", {"id": review["product_id"]}, {"rating": ANY})
        slots = {name: str(review[name]) for name in ("person", "product", "title")}
        return Posed(slots, "/dashboard/reviews/", Changed([done], [rated]))

    def act(self, slots: Mapping[str, str], page: Page, past: Past) -> Plan:
        if page.named("Review information", "heading") is not None:
            box = next((line for line in page.all("combobox") if page.value(line) in STATES), None)
            if box is not None and page.value(box) != "Approved":
                return pick(page, box, "Approved", "I choose the status.")
            return click(page.closest("Save", "button"), "I save it.")
        row = row_with(page, slots["title"], slots["product"], slots["person"], roles=("row",))
        return click(page.closest(slots["title"], "link", within=row) if row else None, "I open the review.")


TASK = ApproveReview()
