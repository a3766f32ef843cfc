"""Answer one comment: its reply box opens in place, and its button is disabled until something is written."""

from __future__ import annotations

import random
from collections.abc import Mapping

from focusagent.longpage.content import Writer
from focusagent.longpage.forum.choice import quoted_comment
from focusagent.longpage.forum.reading import control_of
from focusagent.longpage.forum.world import ForumState, thread_path
from focusagent.longpage.outcome import added
from focusagent.longpage.page import Page
from focusagent.longpage.template import Past, Posed, Template
from focusagent.scripted.policies import Plan
from focusagent.scripted.steps import click, fill, give_up

POSTED = "I post it."


class ReplyComment(Template[ForumState]):
    name = "reply_comment"
    kind = "writing"
    steps = 3
    label = "Reply"
    wordings = (
        '{person} wrote "{quote}". Answer right under it: "{text}"',
        'Please respond to what {person} said about "{quote}", with exactly these words: "{text}"',
    )

    def pose(self, state: ForumState, draw: random.Random) -> Posed:
        thread = state.long_thread(draw.choice(state.forums[:2]))
        comment, quote = quoted_comment(thread, draw)
        text = Writer(draw.random()).line("sentence", thread.forum).replace('"', "'")
        slots = {"person": comment.author, "quote": quote, "text": text}
        return Posed(slots, thread_path(thread), added(("comment", comment.id, text)))

    def act(self, slots: Mapping[str, str], page: Page, past: Past) -> Plan:
        box = page.named("your reply", "textbox")
        if box is None and any(POSTED in thought for thought in past.thoughts):
            return give_up()
        if box is None:
            return click(
                control_of(page, "Reply", slots["person"], slots["quote"]), "I open the reply box of the comment."
            )
        if page.value(box) != slots["text"]:
            return fill(box, slots["text"], "I write the answer.")
        return click(page.named("Post", "button", within=page.container(box, "article")), POSTED)


TASK = ReplyComment()
