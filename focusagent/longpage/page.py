"""The lines of a prompt as a policy reads them: elements by role and name, what is inside what, closest matches."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from focusagent.axtree import AxLine, AxTree
from focusagent.axtree.properties import properties

_WORD = re.compile(r"\w+")
CLOSE = re.compile(
    r"(close|dismiss|no,? thanks|not now|maybe later|accept all|reject all|got it|stay signed in)\b", re.I
)
ESCAPE = re.compile(r"press\('\w+', 'Escape'\)")


def words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def likeness(text: str, wanted: str) -> float:
    """Share of the wanted words (each as often as it is wanted) that the text has, less a little for other words."""
    have, want = words(text), words(wanted)
    left, found = list(have), 0
    for word in want:
        if word in left:
            left.remove(word)
            found += 1
    return found / len(want) - 0.001 * min(len(left), 100) if want else 0.0


class Page:
    """Lines as shown, pruned or simplified, InlineTextBox repetitions left out."""

    def __init__(self, lines: Sequence[AxLine]) -> None:
        shown = [line for line in lines if line.role != "InlineTextBox"]
        self.tree = AxTree(line._replace(number=number) for number, line in enumerate(shown, 1))

    @property
    def lines(self) -> Sequence[AxLine]:
        return self.tree.lines

    @property
    def title(self) -> str:
        """The document's title, "" where the root line is not shown."""
        return next((line.name for line in self.lines[:1] if line.depth == 0), "")

    def all(self, *roles: str, within: AxLine | None = None) -> list[AxLine]:
        """Lines of these roles in page order, optionally in one line's subtree."""
        first, last = self.tree.subtree(within.number) if within else (1, len(self.lines))
        return [line for line in self.lines[first - 1 : last] if line.role in roles]

    def named(self, name: str, *roles: str, within: AxLine | None = None) -> AxLine | None:
        """The first line of these roles whose name holds all words of `name`; None where there is none."""
        want = set(words(name))
        return next((line for line in self.all(*roles, within=within) if want <= set(words(line.name))), None)

    def closest(self, wanted: str, *roles: str, within: AxLine | None = None) -> AxLine | None:
        """The line of these roles whose name is most like `wanted`, a look-alike included."""
        return self.best(self.all(*roles, within=within), wanted, lambda line: line.name)

    def best(self, lines: Iterable[AxLine], wanted: str, text: Callable[[AxLine], str]) -> AxLine | None:
        """The line whose text is most like `wanted`, the first among equals; None only without lines."""
        return max(lines, key=lambda line: likeness(text(line), wanted), default=None)

    def container(self, line: AxLine, *roles: str) -> AxLine | None:
        """The closest ancestor of one of the roles; the parent where none of them is shown; None at the root."""
        chain = [self.tree.line(number) for number in self.tree.ancestors(line.number)]
        return next((up for up in chain if up.role in roles), chain[0] if chain else None)

    def text(self, line: AxLine | None, without: str = "") -> str:
        """All names in the line's subtree, joined; parts below a line of the role `without` are left out."""
        if line is None:
            return ""
        first, last = self.tree.subtree(line.number)
        names, skip_to = [], 0
        for inner in self.lines[first - 1 : last]:
            if inner.number <= skip_to:
                continue
            if without and inner.role == without and inner.number != line.number:
                skip_to = self.tree.subtree(inner.number)[1]
                continue
            names.append(inner.name)
        return " ".join(names)

    def value(self, line: AxLine) -> str:
        """What a field holds."""
        return properties(line).get("value", "")

    def has(self, line: AxLine, name: str, value: str = "") -> bool:
        """Whether a property is shown, with this value if one is given (case ignored)."""
        held = properties(line)
        return name in held and (not value or held[name].casefold() == value.casefold())

    @cached_property
    def dialogs(self) -> list[AxLine]:
        return self.all("dialog", "alertdialog")

    def escape(self) -> str:
        """The key that a note before the page says will dismiss what covers it; "" without such a note."""
        match = ESCAPE.search(self.lines[0].text) if self.lines and self.lines[0].role == "Note:" else None
        return match[0] if match else ""

    def overlay(self) -> AxLine | None:
        """The button that gets rid of a notice over the page: a dialog or banner that holds no field to fill in. Of
        several the one on top is met first: a modal one, and of these the last."""
        by_height = sorted(self.dialogs, key=lambda line: (self.has(line, "modal", "true"), line.number))
        for dialog in reversed(by_height):
            if not self.all("textbox", "radio", "combobox", within=dialog) or self.named(
                "newsletter", "heading", within=dialog
            ):
                for button in self.all("button", "link", within=dialog):
                    if button.bid and CLOSE.match(button.name):
                        return button
        return None
