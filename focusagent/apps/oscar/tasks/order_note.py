"""Leave a note on an order, behind one of its tabs."""

from __future__ import annotations

import random
from collections.abc import Mapping

from focusagent.apps.database import World
from focusagent.apps.outcome import Added, Changed
from focusagent.apps.reading import fill_form
from focusagent.apps.template import AppTemplate
from focusagent.longpage.page import Page
from focusagent.longpage.template import Past, Posed
from focusagent.scripted.policies import Plan
from focusagent.scripted.steps import click


class OrderNote(AppTemplate):
    name = "order_note"
    kind = "writing"
    login = "admin"
    steps = 3
    label = "Save note"
    wordings = (
        'Colleagues who open this order must read this: "{text}". Put it there.',
        'Please leave the remark "{text}" with this order.',
    )

    def pose(self, world: World, draw: random.Random) -> Posed:
        order = draw.choice(world.rows("SELECT id, number FROM order_order ORDER BY id"))
        day, how = draw.choice(("Monday", "Tuesday", "Friday")), draw.choice(("after noon", "before ten", "all day"))
        text = f"The customer is at home on {day}, {how}."
        note = Added("order_ordernote", {"order_id": order["id"], "message": text})
        return Posed({"text": text}, f"/dashboard/orders/{order['number']}/", Changed([note]))

    def act(self, slots: Mapping[str, str], page: Page, past: Past) -> Plan:
        save = next((line for line in page.all("button") if line.name == "Save note"), None)
        if save is None:
            return click(page.closest("Notes", "link"), "I open the notes.")
        return fill_form(page, {"Message": slots["text"]}) or click(save, "I save the note.")


TASK = OrderNote()
