"""Order the incident list by a column, in a direction that takes one click or two."""

from __future__ import annotations

import random
from collections.abc import Mapping

from focusagent.longpage.desk.world import COLUMNS, DeskState
from focusagent.longpage.outcome import Viewed
from focusagent.longpage.page import Page
from focusagent.longpage.template import Past, Posed, Template
from focusagent.scripted.policies import Plan
from focusagent.scripted.steps import click


class SortIncidents(Template[DeskState]):
    name = "sort_incidents"
    kind = "sort"
    steps = 2
    wordings = (
        "Put the tickets in {direction} order of {column}.",
        "I would like the ticket list arranged by {column}, {direction}.",
    )

    def pose(self, state: DeskState, draw: random.Random) -> Posed:
        column = draw.choice([name for name in COLUMNS if name not in ("number", "opened")])
        down = draw.random() < 0.5
        slots = {"column": COLUMNS[column].lower(), "direction": "descending" if down else "ascending"}
        return Posed(slots, "/?frame=/list", Viewed(("list", column, "down" if down else "up")))

    def act(self, slots: Mapping[str, str], page: Page, past: Past) -> Plan:
        headers = [link for link in page.all("link") if page.container(link, "columnheader") is not None]
        header = page.best(headers or page.all("link"), slots["column"], lambda link: link.name)
        return click(header, f"I click the column's name until it is {slots['direction']}.")


TASK = SortIncidents()
