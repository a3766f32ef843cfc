"""How a policy reads the code host's issue pages."""

from __future__ import annotations

from collections.abc import Mapping

from focusagent.longpage.page import Page
from focusagent.scripted.policies import Plan
from focusagent.scripted.steps import click


def on_issue(page: Page) -> bool:
    """Whether this is one issue's page, not the list."""
    return page.named("Write a note", "textbox") is not None or page.named("Edit labels", "button") is not None


def open_issue(page: Page, slots: Mapping[str, str]) -> Plan:
    """Open the issue whose entry is most like the title and author."""
    entry = page.best(page.all("listitem"), f"{slots['title']} {slots['author']}", page.text)
    links = page.all("link", within=entry) if entry else []
    return click(next(iter(links), None) or page.closest(slots["title"], "link"), "I open the issue.")
