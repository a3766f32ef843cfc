"""Move an issue to another milestone."""

from __future__ import annotations

import random
from collections.abc import Mapping

from focusagent.longpage.code.choice import issue_named
from focusagent.longpage.code.reading import on_issue, open_issue
from focusagent.longpage.code.world import CodeState, code_words
from focusagent.longpage.outcome import Changed
from focusagent.longpage.page import Page
from focusagent.longpage.state import Change
from focusagent.longpage.template import Past, Posed, Template
from focusagent.scripted.policies import Plan
from focusagent.scripted.steps import select


class SetMilestone(Template[CodeState]):
    name = "set_milestone"
    kind = "form"
    steps = 2
    pages = 2
    label = "Milestone"
    wordings = (
        'Plan "{title}" from {author} for {milestone}.',
        'We will tackle {author}\'s "{title}" in {milestone}; enter that.',
    )

    def pose(self, state: CodeState, draw: random.Random) -> Posed:
        issue = issue_named(state, draw)
        old, number = state.milestone(issue), str(issue.number)
        new = draw.choice([name for name in code_words()["milestones"] if name != old])
        change = Change(frozenset({("milestone", number, new)}), frozenset({("milestone", number, old)}))
        return Posed({"title": issue.title, "author": issue.author, "milestone": new}, "/issues", Changed(change))

    def act(self, slots: Mapping[str, str], page: Page, past: Past) -> Plan:
        if not on_issue(page):
            return open_issue(page, slots)
        return select(page.closest("Milestone", "combobox"), slots["milestone"], "I choose the milestone.")


TASK = SetMilestone()
