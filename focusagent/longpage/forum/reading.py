"""How a policy reads the forum's pages: which comment or thread a button belongs to, what a row says."""

from __future__ import annotations

from focusagent.axtree import AxLine
from focusagent.longpage.page import Page


def post_text(page: Page, control: AxLine) -> str:
    """What stands in the comment or thread that a control belongs to, replies to it left out."""
    return page.text(page.container(control, "article"), without="list")


def control_of(page: Page, label: str, *wanted: str) -> AxLine | None:
    """The button with that label in the comment or thread whose author and text are most like `wanted`."""
    buttons = [line for line in page.all("button") if line.name.strip() == label]
    return page.best(buttons, " ".join(wanted), lambda button: post_text(page, button))
