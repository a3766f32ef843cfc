"""Who wrote the review of a given day? The page holds many reviews alike."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping

from focusagent.longpage.outcome import Answered
from focusagent.longpage.page import Page
from focusagent.longpage.shop.app import product_path
from focusagent.longpage.shop.world import ShopState
from focusagent.longpage.template import Past, Posed, Template
from focusagent.scripted.policies import Plan
from focusagent.scripted.steps import say


class WhoReviewed(Template[ShopState]):
    name = "who_reviewed"
    kind = "seeking"
    steps = 1
    wordings = (
        "One customer gave an opinion on this article on {date}. What is that person called?",
        "Please tell me the full name of whoever rated this on {date}.",
    )

    def pose(self, state: ShopState, draw: random.Random) -> Posed:
        reviews = state.reviews(state.featured)
        days = [review.date for review in reviews]
        review = draw.choice([review for review in reviews if days.count(review.date) == 1])
        rivals = tuple(other.author for other in reviews if other is not review)
        return Posed({"date": review.date}, product_path(state.featured), Answered(review.author, rivals))

    def act(self, slots: Mapping[str, str], page: Page, past: Past) -> Plan:
        review = page.best(page.all("article"), slots["date"], page.text)
        inside = page.lines[review.number : page.tree.subtree(review.number)[1]] if review else ()
        names = [line.name for line in inside if re.fullmatch(r"[A-Z]\w+ [A-Z]\w+", line.name)]
        return say(next(iter(names), slots["date"]), "The name stands at the head of the review.")


TASK = WhoReviewed()
