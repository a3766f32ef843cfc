"""Label an issue through a dialog of check boxes."""

from __future__ import annotations

import random
from collections.abc import Mapping

from focusagent.longpage.code.choice import issue_named
from focusagent.longpage.code.reading import on_issue, open_issue
from focusagent.longpage.code.world import CodeState, code_words
from focusagent.longpage.outcome import added
from focusagent.longpage.page import Page
from focusagent.longpage.template import Past, Posed, Template
from focusagent.scripted.policies import Plan
from focusagent.scripted.steps import click


class AddLabel(Template[CodeState]):
    name = "add_label"
    kind = "menu"
    steps = 4
    pages = 2
    label = "Edit labels"
    wordings = (
        'Tag the report "{title}" by {author} as {label}.',
        '{author} reported "{title}". It should be marked {label} as well.',
    )

    def pose(self, state: CodeState, draw: random.Random) -> Posed:
        issue = issue_named(state, draw)
        label = draw.choice([name for name in code_words()["labels"] if name not in state.labels(issue)])
        slots = {"title": issue.title, "author": issue.author, "label": label}
        return Posed(slots, "/issues", added(("label", str(issue.number), label)))

    def act(self, slots: Mapping[str, str], page: Page, past: Past) -> Plan:
        dialog = next(iter(page.dialogs), None)
        if dialog is not None:
            box = page.closest(slots["label"], "checkbox", within=dialog)
            if box is not None and not page.has(box, "checked", "true"):
                return click(box, "I tick the label.")
            return click(page.closest("Apply", "button", within=dialog), "I apply it.")
        if not on_issue(page):
            return open_issue(page, slots)
        return click(page.closest("Edit labels", "button"), "I open the labels.")


TASK = AddLabel()
