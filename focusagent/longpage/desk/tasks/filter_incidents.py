"""Build a filter of field, operator and value."""

from __future__ import annotations

import random
from collections.abc import Mapping

from focusagent.longpage.desk.world import COLUMNS, DeskState
from focusagent.longpage.outcome import Viewed
from focusagent.longpage.page import Page
from focusagent.longpage.template import Past, Posed, Template
from focusagent.scripted.policies import Plan
from focusagent.scripted.steps import click, fill, select


class FilterIncidents(Template[DeskState]):
    name = "filter_incidents"
    kind = "filter"
    steps = 4
    label = "Run"
    wordings = (
        'Which tickets have "{value}" as their {column}? Let the list show no others.',
        'Leave only those tickets in the list whose {column} equals "{value}".',
    )

    def pose(self, state: DeskState, draw: random.Random) -> Posed:
        column = draw.choice(("caller", "priority", "state", "group"))
        value = draw.choice(list(state.incidents.values())).column(column)
        slots = {"column": COLUMNS[column].lower(), "value": value}
        return Posed(slots, "/?frame=/list", Viewed(("list", "number", "up", f"{column}:is:{value}")))

    def act(self, slots: Mapping[str, str], page: Page, past: Past) -> Plan:
        field, value = page.closest("Field", "combobox"), page.closest("Value", "textbox")
        column = page.closest(slots["column"], "option", within=field) if field else None
        if field is not None and page.value(field).casefold() != slots["column"]:
            return select(field, column.name if column else slots["column"].capitalize(), "I choose the field.")
        if value is not None and page.value(value) != slots["value"]:
            return fill(value, slots["value"], "I write the value.")
        return click(page.closest("Run", "button"), "I run the filter.")


TASK = FilterIncidents()
