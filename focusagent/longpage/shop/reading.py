"""How a policy reads the shop's pages."""

from __future__ import annotations

from focusagent.axtree import AxLine
from focusagent.longpage.page import Page


def row_of(page: Page, label: str, role: str, *wanted: str) -> AxLine | None:
    """The control with that label in the row or list entry that is most like the wanted texts."""
    controls = [line for line in page.all(role) if line.name.strip() == label]
    return page.best(controls, " ".join(wanted), lambda line: page.text(page.container(line, "row", "listitem")))


def in_department(page: Page, category: str) -> bool:
    """Whether this is the department's own page, as its title and its heading say."""
    heading = page.named(category, "heading")
    return heading is not None and page.title.startswith(f"{category.capitalize()}:")
