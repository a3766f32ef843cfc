"""Write a note on an issue and close it with that."""

from __future__ import annotations

import random
from collections.abc import Mapping

from focusagent.longpage.code.choice import issue_named
from focusagent.longpage.code.reading import on_issue, open_issue
from focusagent.longpage.code.world import CodeState
from focusagent.longpage.outcome import added
from focusagent.longpage.page import Page
from focusagent.longpage.template import Past, Posed, Template
from focusagent.scripted.policies import Plan
from focusagent.scripted.steps import click, fill


class CloseWithNote(Template[CodeState]):
    name = "close_with_note"
    kind = "writing"
    steps = 3
    pages = 2
    label = "Comment and close"
    wordings = (
        'The report "{title}" of {author} is done. Say "{text}" there and shut it.',
        'Tell {author} under "{title}" the following and then end it: "{text}"',
    )

    def pose(self, state: CodeState, draw: random.Random) -> Posed:
        issue = issue_named(state, draw)
        text = f"Fixed in {draw.randint(2, 9)}.{draw.randint(0, 9)}, thanks for the report."
        facts = ("note", str(issue.number), text), ("closed", str(issue.number))
        return Posed({"title": issue.title, "author": issue.author, "text": text}, "/issues", added(*facts))

    def act(self, slots: Mapping[str, str], page: Page, past: Past) -> Plan:
        if not on_issue(page):
            return open_issue(page, slots)
        box = page.closest("Write a note", "textbox")
        if box is not None and page.value(box) != slots["text"]:
            return fill(box, slots["text"], "I write the note.")
        return click(page.closest("Comment and close", "button"), "I post it and close the issue.")


TASK = CloseWithNote()
