"""Order a catalogue item with its options."""

from __future__ import annotations

import random
from collections.abc import Mapping

from focusagent.longpage.desk.world import DeskState, desk_words
from focusagent.longpage.outcome import added
from focusagent.longpage.page import Page
from focusagent.longpage.template import Past, Posed, Template
from focusagent.scripted.policies import Plan
from focusagent.scripted.steps import click, select


class OrderItem(Template[DeskState]):
    name = "order_item"
    kind = "order"
    steps = 6
    pages = 2
    label = "Order now"
    wordings = (
        "We need {count} of the item {item}. {first}; {second}; {third}.",
        "Request {count} times {item} for my team. Configuration: {first}; {second}; {third}.",
    )

    def pose(self, state: DeskState, draw: random.Random) -> Posed:
        item, count = draw.choice(desk_words()["items"]), str(draw.randint(2, 9))
        chosen = {name: draw.choice(values) for name, values in item["options"].items()}
        parts = [f"{name} {value}" for name, value in chosen.items()]
        slots = {"item": item["name"], "count": count, **dict(zip(("first", "second", "third"), parts, strict=True))}
        fact = ("ordered", item["name"], *chosen.values(), count)
        return Posed(slots, "/?frame=/catalogue", added(fact))

    def act(self, slots: Mapping[str, str], page: Page, past: Past) -> Plan:
        count = page.closest("Quantity", "combobox")
        if count is None:
            return click(page.closest(slots["item"], "link"), "I open the item.")
        for part in (slots["first"], slots["second"], slots["third"]):
            group = page.best(page.all("group"), part, lambda line: line.name)
            choice = page.closest(part, "radio", within=group)
            if choice is not None and not page.has(choice, "checked", "true"):
                return click(choice, f"I choose {part}.")
        if page.value(count) != slots["count"]:
            return select(count, slots["count"], "I choose how many.")
        return click(page.closest("Order now", "button"), "I order.")


TASK = OrderItem()
