"""Change the default address; every other address has the same button."""

from __future__ import annotations

import random
from collections.abc import Mapping

from focusagent.longpage.outcome import Changed
from focusagent.longpage.page import Page
from focusagent.longpage.shop.reading import row_of
from focusagent.longpage.shop.world import ShopState
from focusagent.longpage.state import Change
from focusagent.longpage.template import Past, Posed, Template
from focusagent.scripted.policies import Plan
from focusagent.scripted.steps import click


class DefaultAddress(Template[ShopState]):
    name = "default_address"
    kind = "menu"
    steps = 2
    pages = 2
    label = "Make default"
    wordings = (
        'I have moved. Parcels should go to "{address}" unless I say otherwise.',
        'From now on send my things to "{address}" first.',
    )

    def pose(self, state: ShopState, draw: random.Random) -> Posed:
        new = draw.choice(state.addresses[1:])
        change = Change(frozenset({("address", new)}), frozenset({("address", state.addresses[0])}))
        return Posed({"address": new}, "/orders", Changed(change))

    def act(self, slots: Mapping[str, str], page: Page, past: Past) -> Plan:
        if not page.title.startswith("Your account"):
            return click(page.closest("Account", "link"), "Addresses are in the account.")
        return click(row_of(page, "Make default", "button", slots["address"]), "I make this address the default.")


TASK = DefaultAddress()
