"""How policies read applications' pages: a control in a row among look-alikes, a form's next field."""

from __future__ import annotations

import re
from collections.abc import Mapping

from focusagent.axtree import AxLine
from focusagent.longpage.page import Page, words
from focusagent.scripted.policies import Plan
from focusagent.scripted.steps import click, fill, select

ROWS = ("row", "listitem", "article")
_FIELDS = ("textbox", "searchbox", "combobox", "spinbutton", "checkbox", "radio", "listbox", "switch")


def row_with(page: Page, *wanted: str, roles: tuple[str, ...] = ROWS) -> AxLine | None:
    """The row or entry most like the wanted texts; of those alike the innermost one comes first."""
    rows = sorted(page.all(*roles), key=lambda line: -line.depth)
    return page.best(rows, " ".join(wanted), page.text)


def in_row(page: Page, label: str, role: str, *wanted: str) -> AxLine | None:
    """The control with all words of `label` in its name, in the row that is most like the wanted texts."""
    want = set(words(label))
    controls = [line for line in page.all(role) if want <= set(words(line.name))]
    return page.best(controls, " ".join(wanted), lambda line: page.text(page.container(line, *ROWS)))


def exactly(page: Page, name: str, *roles: str, within: AxLine | None = None) -> AxLine | None:
    """The first line of these roles with this name, else the one most like it."""
    for line in page.all(*roles, within=within):
        if line.name.strip().casefold() == name.casefold():
            return line
    return page.closest(name, *roles, within=within)


def field(page: Page, label: str, within: AxLine | None = None) -> AxLine | None:
    """The field whose name is the label, give or take a mark that it must be filled in; else the one most like it."""
    fields = page.all(*_FIELDS, within=within)
    for line in fields:
        if words(line.name) == words(label):
            return line
    return page.best(fields, label, lambda line: line.name)


def fill_form(page: Page, values: Mapping[str, str], within: AxLine | None = None) -> Plan | None:
    """The next step to a form that holds these values, by label; None when it holds them all. `yes` and `no` are for
    boxes to tick."""
    for label, value in values.items():
        line = field(page, label, within)
        if line is not None and not _holds(page, line, value):
            return _set(page, line, label, value)
    return None


def pick(page: Page, box: AxLine | None, value: str, why: str) -> Plan:
    """Choose from a list that a script draws: open it, then click the entry."""
    entries = [line for line in page.all("option", "treeitem") if line.name.strip() == value]
    return click(entries[-1] if entries else box, why)


def _set(page: Page, line: AxLine, label: str, value: str) -> Plan:
    if line.role in ("checkbox", "radio", "switch"):
        return click(line, f"I set {label}.")
    if line.role in ("combobox", "listbox") and page.all("option", "MenuListPopup", within=line):
        return select(line, value, f"I choose {label}.")
    if line.role == "combobox" and page.has(line, "hasPopup", "menu"):
        return pick(page, line, value, f"I choose {label}.")
    return fill(line, value, f"I fill in {label}.")


def _holds(page: Page, line: AxLine, value: str) -> bool:
    if line.role in ("checkbox", "radio", "switch"):
        return page.has(line, "checked", "true") == (value == "yes")
    if line.role == "listbox":
        chosen = [option.name for option in page.all("option", within=line) if page.has(option, "selected", "true")]
        return chosen == [value]
    shown = re.sub(r"\s+", " ", page.value(line)).strip()
    return shown == re.sub(r"\s+", " ", value).strip()
