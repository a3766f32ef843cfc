"""Give one comment of a thread an upvote: its author has written others, and every comment has the same buttons."""

from __future__ import annotations

import random
from collections.abc import Mapping

from focusagent.longpage.forum.choice import quoted_comment
from focusagent.longpage.forum.reading import control_of
from focusagent.longpage.forum.world import ForumState, thread_path
from focusagent.longpage.outcome import added
from focusagent.longpage.page import Page
from focusagent.longpage.template import Past, Posed, Template
from focusagent.scripted.policies import Plan
from focusagent.scripted.steps import click


class UpvoteComment(Template[ForumState]):
    name = "upvote_comment"
    kind = "list"
    steps = 1
    label = "Upvote"
    wordings = (
        'In this discussion {person} says "{quote}". I agree, please give that remark a point.',
        'Find where {person} wrote "{quote}" and show that I liked it.',
        'I want to reward {person} for "{quote}". Leave their other answers alone.',
    )

    def pose(self, state: ForumState, draw: random.Random) -> Posed:
        thread = state.long_thread(draw.choice(state.forums[:2]))
        comment, quote = quoted_comment(thread, draw)
        slots = {"person": comment.author, "quote": quote}
        return Posed(slots, thread_path(thread), added(("vote", comment.id, "up")))

    def act(self, slots: Mapping[str, str], page: Page, past: Past) -> Plan:
        button = control_of(page, "Upvote", slots["person"], slots["quote"])
        return click(button, f"The comment by {slots['person']} that I was told about gets an upvote.")


TASK = UpvoteComment()
