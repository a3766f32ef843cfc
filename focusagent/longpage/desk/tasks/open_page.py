"""Open a page through a folded menu."""

from __future__ import annotations

import random
from collections.abc import Mapping

from focusagent.longpage.desk.reading import menu_entry
from focusagent.longpage.desk.world import DeskState, desk_words
from focusagent.longpage.outcome import Viewed
from focusagent.longpage.page import Page
from focusagent.longpage.template import Past, Posed, Template
from focusagent.scripted.policies import Plan


class OpenPage(Template[DeskState]):
    name = "open_page"
    kind = "menu"
    steps = 2
    wordings = (
        "Take me to the {entry} page, you find it under {group}.",
        "Go into {group} and open {entry}.",
    )

    def pose(self, state: DeskState, draw: random.Random) -> Posed:
        taken = {"Incidents", "Catalogue", "Knowledge", "Reports"}
        group = draw.choice([name for name in desk_words()["menu"] if name not in taken])
        entry = draw.choice(desk_words()["menu"][group])
        return Posed({"group": group, "entry": entry}, "/", Viewed(("page", entry)))

    def act(self, slots: Mapping[str, str], page: Page, past: Past) -> Plan:
        return menu_entry(page, slots["group"], slots["entry"])


TASK = OpenPage()
