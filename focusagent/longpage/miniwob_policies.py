"""What the scripted backbone does on the MiniWoB tasks that can be done from the AxTree alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from focusagent.axtree import AxLine
from focusagent.longpage.page import Page
from focusagent.scripted.policies import Plan, register_policy
from focusagent.scripted.steps import click, fill

MASK = "•"


@dataclass(frozen=True)
class _Policy:
    """A goal's pattern and what to do with the words that its groups catch."""

    pattern: str
    act: Callable[[Page, tuple[str, ...]], Plan]

    def __call__(
        self, goal: str, lines: Sequence[AxLine], actions: Sequence[str], thoughts: Sequence[str]
    ) -> Sequence[str]:
        match = re.fullmatch(self.pattern, goal.strip())
        return self.act(Page(lines), match.groups() if match else ())


def _button(page: Page, wanted: tuple[str, ...]) -> Plan:
    return click(page.closest(wanted[0] if wanted else "", "button"), "I click the button.")


def _close(page: Page, wanted: tuple[str, ...]) -> Plan:
    return click(page.closest("Close", "button"), "I close the dialog.")


def _choose(page: Page, wanted: tuple[str, ...]) -> Plan:
    names = [] if wanted[:1] == ("nothing",) else "".join(wanted[:1]).split(", ")
    for box in page.all("checkbox", "radio"):
        if box.name in names and not page.has(box, "checked", "true"):
            return click(box, f"I choose {box.name}.")
    return click(page.closest("Submit", "button"), "All is chosen; I submit.")


def _write(page: Page, wanted: tuple[str, ...]) -> Plan:
    """The words go into the fields in order; a single one into all of them."""
    boxes = page.all("textbox")
    texts = wanted * len(boxes) if len(wanted) == 1 else wanted
    for box, text in zip(boxes, texts, strict=False):
        if page.value(box) not in (text, MASK * len(text)):
            return fill(box, text, "I write into the field.")
    return click(next(iter(page.all("button")), None), "All is written; I submit.")


POLICIES = (
    _Policy(r"Click the button\.", _button),
    _Policy(r"Click button (\w+)\.", _button),
    _Policy(r'Click on the "([^"]*)" button\.', _button),
    _Policy(r'Close the dialog box by clicking the "x"\.', _close),
    _Policy(r"Select (.+) and click Submit\.", _choose),
    _Policy(r'Enter "([^"]*)" into the text field and press Submit\.', _write),
    _Policy(r'Enter the password "([^"]*)" into both text fields and press submit\.', _write),
    _Policy(r'Enter the username "([^"]*)" and the password "([^"]*)" into the text fields and press login\.', _write),
)


def register_miniwob_policies() -> None:
    """Tell the scripted backbone what to do on these tasks."""
    for policy in POLICIES:
        register_policy(policy.pattern, policy)
