"""Mark one person's review as helpful; every review has the same button."""

from __future__ import annotations

import random
from collections.abc import Mapping

from focusagent.longpage.outcome import added
from focusagent.longpage.page import Page
from focusagent.longpage.shop.app import product_path
from focusagent.longpage.shop.world import ShopState
from focusagent.longpage.template import Past, Posed, Template
from focusagent.scripted.policies import Plan
from focusagent.scripted.steps import click


class ThankReviewer(Template[ShopState]):
    name = "thank_reviewer"
    kind = "list"
    steps = 1
    label = "Helpful"
    wordings = (
        "{person} has written about this article. Give that opinion a thumbs-up.",
        "Let the shop know that what {person} reported was useful to me.",
    )

    def pose(self, state: ShopState, draw: random.Random) -> Posed:
        review = draw.choice(state.reviews(state.featured))
        return Posed({"person": review.author}, product_path(state.featured), added(("helpful", review.id)))

    def act(self, slots: Mapping[str, str], page: Page, past: Past) -> Plan:
        buttons = [line for line in page.all("button") if line.name == "Helpful"]
        button = page.best(buttons, slots["person"], lambda line: page.text(page.container(line, "article")))
        return click(button, f"The review by {slots['person']} was helpful.")


TASK = ThankReviewer()
