"""Fill a long form: a reference field with a pop-up list, choices, text; reached through the menu."""

from __future__ import annotations

import random
from collections.abc import Mapping

from focusagent.longpage.desk.reading import menu_entry
from focusagent.longpage.desk.world import DeskState, desk_words
from focusagent.longpage.outcome import added
from focusagent.longpage.page import Page
from focusagent.longpage.template import Past, Posed, Template
from focusagent.scripted.policies import Plan
from focusagent.scripted.steps import click, fill, select

CHOICES = ("service", "category", "contact", "priority", "group")
LABELS = {"contact": "Contact type", "group": "Assignment group"}


class CreateIncident(Template[DeskState]):
    name = "create_incident"
    kind = "form"
    steps = 11
    pages = 2
    label = "Submit"
    wordings = (
        'Log a ticket for {caller}: "{summary}" Service {service}, category {category}, came by {contact}, '
        "priority {priority}, for the {group} team.",
        'File this for {caller}, reported by {contact}: "{summary}" It is about {service} ({category}), urgency '
        "{priority}, to be solved by {group}.",
    )

    def pose(self, state: DeskState, draw: random.Random) -> Posed:
        words = desk_words()
        service = draw.choice(words["services"])
        slots = {
            "caller": draw.choice(state.people),
            "service": service,
            "category": draw.choice(words["categories"]),
            "contact": draw.choice(words["contact"]),
            "priority": draw.choice(words["priorities"]),
            "group": draw.choice(words["groups"]),
            "summary": draw.choice(words["summaries"]).replace("{service}", service).replace("{n}", "4"),
        }
        fact = ("incident", slots["caller"], *(slots[name] for name in CHOICES), slots["summary"], "")
        return Posed(slots, "/", added(fact))

    def act(self, slots: Mapping[str, str], page: Page, past: Past) -> Plan:
        if page.named("New incident", "heading") is None:
            return menu_entry(page, "Incidents", "Create incident")
        caller = page.closest("Caller", "combobox")
        if caller is not None and page.value(caller) != slots["caller"]:
            return fill(caller, slots["caller"], "I write the caller's name.")
        match = page.closest(slots["caller"], "option", within=page.named("Matches", "listbox"))
        if page.named("Matches", "listbox") is not None and match is not None:
            return click(match, "I take the match from the list.")
        for name in CHOICES:
            field = page.named(LABELS.get(name, name), "combobox")
            if field is not None and page.value(field) != slots[name]:
                return select(field, slots[name], f"I choose the {name}.")
        summary = page.closest("Short description", "textbox")
        if summary is not None and page.value(summary) != slots["summary"]:
            return fill(summary, slots["summary"], "I write the short description.")
        return click(page.closest("Submit", "button"), "Everything is filled in; I submit.")


TASK = CreateIncident()
