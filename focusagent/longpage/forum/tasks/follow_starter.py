"""Follow the person who started a thread, whose title has look-alikes; other people have the same button."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping

from focusagent.longpage.forum.world import ForumState
from focusagent.longpage.outcome import added
from focusagent.longpage.page import Page
from focusagent.longpage.template import Past, Posed, Template
from focusagent.scripted.policies import Plan
from focusagent.scripted.steps import click


class FollowStarter(Template[ForumState]):
    name = "follow_starter"
    kind = "navigation"
    steps = 2
    pages = 2
    label = "Follow"
    wordings = (
        'Keep me posted about whatever the author of "{title}" writes.',
        'Somebody opened "{title}". Add that member to the people whose posts I get.',
    )

    def pose(self, state: ForumState, draw: random.Random) -> Posed:
        forum = draw.choice(state.forums[:2])
        followed = {fact[1] for fact in state.facts if fact[0] == "follow"}
        thread = draw.choice([thread for thread in state.listed(forum) if thread.author not in followed])
        return Posed({"title": thread.title}, f"/f/{forum}", added(("follow", thread.author)))

    def act(self, slots: Mapping[str, str], page: Page, past: Past) -> Plan:
        person = re.match(r"I open the page of (\S+)\.", past.thoughts[-1]) if past.thoughts else None
        if person is None:
            title = page.closest(slots["title"], "link")
            item = page.container(title, "article") if title else None
            author = re.search(r"started by\s+(\S+)", page.text(item))
            link = page.named(author[1], "link", within=item) if author else None
            return click(link or title, f"I open the page of {author[1] if author else 'the author'}.")
        card = page.named(person[1], "heading")
        buttons = [line for line in page.all("button") if line.name == "Follow"]
        after = [line for line in buttons if card is None or line.number > card.number]
        return click(next(iter(after or buttons), None), f"I follow {person[1]}.")


TASK = FollowStarter()
