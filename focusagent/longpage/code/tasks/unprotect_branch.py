"""Lift the protection of one branch among many of similar names."""

from __future__ import annotations

import random
from collections.abc import Mapping

from focusagent.axtree import AxLine
from focusagent.longpage.code.world import CodeState
from focusagent.longpage.outcome import removed
from focusagent.longpage.page import Page
from focusagent.longpage.template import Past, Posed, Template
from focusagent.scripted.policies import Plan
from focusagent.scripted.steps import click


class UnprotectBranch(Template[CodeState]):
    name = "unprotect_branch"
    kind = "menu"
    steps = 2
    pages = 2
    label = "Unprotect"
    wordings = (
        "Everybody should be able to push to {branch} again.",
        "Drop the restrictions on {branch}.",
    )

    def pose(self, state: CodeState, draw: random.Random) -> Posed:
        branch = draw.choice(state.branches)
        return Posed({"branch": branch}, "/", removed(("protected", branch)))

    def act(self, slots: Mapping[str, str], page: Page, past: Past) -> Plan:
        if page.named("Protected branches", "heading") is None:
            return click(page.closest("Branches", "link"), "I open the branches.")
        rows = [row for row in page.all("row") if page.all("button", within=row)]
        row = page.best(rows, slots["branch"], lambda row: _first_cell(page, row))
        buttons = page.all("button", within=row) if row else page.all("button")
        return click(next(iter(buttons), None), "I lift the protection.")


def _first_cell(page: Page, row: AxLine) -> str:
    """The branch of a row: what it says further on may name others."""
    cells = page.all("cell", "gridcell", within=row)
    return cells[0].name if cells else page.text(row)


TASK = UnprotectBranch()
