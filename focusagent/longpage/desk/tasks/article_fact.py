"""Look one figure up in the knowledge base, whose articles have the same words with other figures."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping

from focusagent.longpage.desk.world import DeskState
from focusagent.longpage.outcome import Answered
from focusagent.longpage.page import Page
from focusagent.longpage.template import Past, Posed, Template
from focusagent.scripted.policies import Plan
from focusagent.scripted.steps import click, fill, say

ASKED = (
    ("port is the default", r"default port of .* is (\d+)"),
    ("many idle minutes end a session", r"end after (\d+) minutes"),
    ("many GB do mailboxes and folders hold", r"hold up to (\d+) GB"),
)


class ArticleFact(Template[DeskState]):
    name = "article_fact"
    kind = "knowledge"
    steps = 4
    pages = 3
    wordings = (
        'The company has a text called "{title}". According to it, which or how {what}?',
        'Which or how {what}? It says so in "{title}".',
    )

    def pose(self, state: DeskState, draw: random.Random) -> Posed:
        article, number = draw.choice(list(state.articles.values())), draw.randrange(len(ASKED))
        answer = article.facts[number]
        rivals = {fact for fact in article.facts if fact != answer}
        slots = {"title": article.title, "what": ASKED[number][0]}
        return Posed(slots, "/?frame=/knowledge", Answered(answer, tuple(sorted(rivals))))

    def act(self, slots: Mapping[str, str], page: Page, past: Past) -> Plan:
        title, box = slots["title"], page.closest("Search articles", "searchbox", "textbox")
        if box is not None:
            link = page.closest(title, "link")
            if page.value(box) == title and link is not None and past.actions[-1:] == [self._search(page)]:
                return click(link, "I open the article.")
            if page.value(box) != title:
                return fill(box, title, "I search for the article.")
            return click(page.closest("Search", "button"), "I start the search.")
        pattern = next((pattern for what, pattern in ASKED if what == slots["what"]), ASKED[0][1])
        found = next((match for line in page.lines if (match := re.search(pattern, line.name))), None)
        return say(found[1] if found else "unknown", "The article says it.")

    @staticmethod
    def _search(page: Page) -> str:
        button = page.closest("Search", "button")
        return f"click('{button.bid}')" if button else ""


TASK = ArticleFact()
