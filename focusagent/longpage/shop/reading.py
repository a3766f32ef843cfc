"""How a policy reads the shop's pages."""

from __future__ import annotations

import re

from focusagent.axtree import AxLine
from focusagent.longpage.page import Page
from focusagent.longpage.template import Past
from focusagent.scripted.policies import Plan

SCROLLED = "The order is not among these; I scroll down to the older ones."


def row_of(page: Page, label: str, role: str, *wanted: str) -> AxLine | None:
    """The control with that label in the row or list entry that is most like the wanted texts."""
    controls = [line for line in page.all(role) if line.name.strip() == label]
    return page.best(controls, " ".join(wanted), lambda line: page.text(page.container(line, "row", "listitem")))


def in_department(page: Page, category: str) -> bool:
    """Whether this is the department's own page, as its title and its heading say."""
    heading = page.named(category, "heading")
    return heading is not None and page.title.startswith(f"{category.capitalize()}:")


def order_rows(page: Page, date: str) -> list[str]:
    """The texts of the list entries that name the day, most of them one."""
    placed = re.compile(rf"(?<!\d){re.escape(date)}")
    return [text for row in page.all("listitem") if placed.search(text := page.text(row))]


def scroll_on(page: Page, date: str, past: Past) -> Plan | None:
    """To the end of the history, while that says that older orders follow and none of the day is shown."""
    more = page.named("Scroll down for older orders", "StaticText")
    if more is None or order_rows(page, date) or past.thoughts.count(SCROLLED) > 1:
        return None
    return Plan(["scroll(0, 100000)"], note=SCROLLED)
