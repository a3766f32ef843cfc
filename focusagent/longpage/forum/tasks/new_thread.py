"""Start a thread: forum, title, text and flair, from the front page."""

from __future__ import annotations

import random
from collections.abc import Mapping

from focusagent.longpage.content import Writer, word_list
from focusagent.longpage.forum.world import ForumState
from focusagent.longpage.outcome import added
from focusagent.longpage.page import Page
from focusagent.longpage.template import Past, Posed, Template
from focusagent.scripted.policies import Plan
from focusagent.scripted.steps import click, fill, select


class NewThread(Template[ForumState]):
    name = "new_thread"
    kind = "form"
    steps = 6
    pages = 2
    label = "Publish"
    wordings = (
        'Ask the {forum} people for me. Headline: "{title}" Body: "{text}" Mark it as {flair}.',
        'Start a discussion in {forum}, tagged {flair}. Its headline: "{title}" Below it should stand "{text}"',
    )

    def pose(self, state: ForumState, draw: random.Random) -> Posed:
        forum, writer = draw.choice(state.forums), Writer(draw.random())
        slots = {
            "forum": forum,
            "title": writer.line("title", forum).replace('"', "'"),
            "text": writer.line("sentence", forum).replace('"', "'"),
            "flair": draw.choice(word_list("sentences")["flair"]),
        }
        return Posed(slots, "/", added(("thread", forum, slots["title"], slots["text"], slots["flair"])))

    def act(self, slots: Mapping[str, str], page: Page, past: Past) -> Plan:
        if not page.all("textbox") or page.named("new thread", "heading") is None:
            return click(page.closest("Create thread", "link"), "I open the page for new threads.")
        forum = page.closest("Forum", "combobox")
        if forum is not None and page.value(forum) != slots["forum"]:
            return select(forum, slots["forum"], "I choose the forum.")
        for label, slot in (("Title", "title"), ("Text", "text")):
            field = page.closest(label, "textbox")
            if field is not None and page.value(field) != slots[slot]:
                return fill(field, slots[slot], f"I write the {label.lower()}.")
        flair = page.closest(slots["flair"], "radio")
        if flair is not None and not page.has(flair, "checked", "true"):
            return click(flair, "I choose the flair.")
        return click(page.closest("Publish", "button"), "Everything is filled in; I publish.")


TASK = NewThread()
