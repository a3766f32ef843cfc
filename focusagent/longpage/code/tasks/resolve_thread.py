"""Settle one review remark among many with the same button."""

from __future__ import annotations

import random
from collections.abc import Mapping

from focusagent.longpage.code.world import CodeState
from focusagent.longpage.outcome import added
from focusagent.longpage.page import Page
from focusagent.longpage.template import Past, Posed, Template
from focusagent.scripted.policies import Plan
from focusagent.scripted.steps import click


class ResolveThread(Template[CodeState]):
    name = "resolve_thread"
    kind = "list"
    steps = 1
    label = "Resolve thread"
    wordings = (
        'I have dealt with what {author} remarked on {date}: "{quote}". Tick that off.',
        '{author}\'s "{quote}" of {date} is settled, show it as done.',
    )

    def pose(self, state: CodeState, draw: random.Random) -> Posed:
        thread = draw.choice(state.threads)
        slots = {"author": thread.author, "date": thread.when, "quote": thread.text}
        return Posed(slots, "/merge", added(("resolved", thread.id)))

    def act(self, slots: Mapping[str, str], page: Page, past: Past) -> Plan:
        buttons = [line for line in page.all("button") if line.name == "Resolve thread"]
        wanted = f"{slots['author']} {slots['date']} {slots['quote']}"
        button = page.best(buttons, wanted, lambda line: page.text(page.container(line, "article")))
        return click(button, "This thread is resolved.")


TASK = ResolveThread()
