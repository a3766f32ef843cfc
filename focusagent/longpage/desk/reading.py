"""How a policy uses the desk's menu."""

from __future__ import annotations

from focusagent.longpage.page import Page
from focusagent.scripted.policies import Plan
from focusagent.scripted.steps import click


def menu_entry(page: Page, group: str, entry: str) -> Plan:
    """Unfold the group, then click the entry."""
    link = page.named(entry, "link")
    if link is not None:
        return click(link, f"I open {entry}.")
    return click(page.closest(group, "button"), f"I unfold {group}.")
