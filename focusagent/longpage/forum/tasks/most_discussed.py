"""Who started the thread of a forum that has drawn the most comments? The order must be changed first."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping

from focusagent.longpage.forum.world import ForumState
from focusagent.longpage.outcome import Answered
from focusagent.longpage.page import Page
from focusagent.longpage.template import Past, Posed, Template
from focusagent.scripted.policies import Plan
from focusagent.scripted.steps import click, say


class MostDiscussed(Template[ForumState]):
    name = "most_discussed"
    kind = "seeking"
    steps = 3
    pages = 3
    label = "Most discussed"
    wordings = (
        "Over in {forum}, which member opened the topic with the biggest number of replies? Just give me the name.",
        "Whose topic in {forum} got the largest response of all? Tell me the user name.",
    )

    def pose(self, state: ForumState, draw: random.Random) -> Posed:
        forum = draw.choice(state.forums[:2])
        threads = state.listed(forum, "comments")
        rivals = tuple({thread.author for thread in threads[1:]} - {threads[0].author})
        return Posed({"forum": forum}, "/", Answered(threads[0].author, rivals))

    def act(self, slots: Mapping[str, str], page: Page, past: Past) -> Plan:
        forum = slots["forum"]
        if page.named(forum, "heading") is None or not page.title.startswith(forum):
            return click(page.closest(forum, "link"), f"I go to {forum}.")
        order = page.named("Most discussed", "link")
        if order is not None and not page.title.startswith(f"{forum}: Most discussed"):
            return click(order, "I sort by the number of comments.")
        items = [page.text(item) for item in page.all("article")]
        told = [(_comments(text), match[1]) for text in items if (match := re.search(r"started by\s+(\S+)", text))]
        if not told:
            return say(forum, "I cannot see who started a thread.")
        return say(max(told, key=lambda pair: pair[0])[1], "No thread that I see has more comments.")


def _comments(text: str) -> int:
    """How many comments a thread's entry tells of; 0 where it does not."""
    match = re.search(r"(\d+) comments", text)
    return int(match[1]) if match else 0


TASK = MostDiscussed()
