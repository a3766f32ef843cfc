"""When a step is covered, covered in context, or answered: the definitions that every figure of coverage rests on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from focusagent.axtree import AxLine, AxTree, LineRanges
from focusagent.axtree.properties import properties
from focusagent.retrieval.controls import INTERACTIVE_ROLES

NAME_LENGTH = 80
FRAMES = frozenset({"RootWebArea", "Iframe", "WebArea"})


def is_landmark(line: AxLine) -> bool:
    """A line whose name says where one is: named, and neither a root nor a frame, whose names label whole pages."""
    return bool(line.name.strip()) and line.role not in FRAMES


def named_ancestor(page: AxTree, number: int) -> int:
    """The nearest ancestor that `is_landmark`; 0 where there is none."""
    return next((above for above in page.ancestors(number) if is_landmark(page.line(above))), 0)


def label(page: AxTree, number: int) -> int:
    """The closest named line before the line within its parent's subtree; where there is none and the line stands in a
    table's cell, the closest in the cells before that one; 0 where there is none either."""
    first = page.parent(number) or 1
    found = _named_between(page, first, number)
    around = next((above for above in (number, *page.ancestors(number)[:2]) if page.line(above).role in CELLS), 0)
    return found or (_named_between(page, page.parent(around) + 1, around) if around else 0)


def _named_between(page: AxTree, first: int, end: int) -> int:
    """The last landmark of lines `first` to `end` - 1; 0 for none."""
    return next((before for before in range(end - 1, first - 1, -1) if is_landmark(page.line(before))), 0)


CELLS = frozenset({"cell", "gridcell", "rowheader", "LayoutTableCell"})


class Ambiguity:
    """Which lines of a page cannot be told apart by their name alone: things are counted that can be acted on, not
    lines. A link printed twice with one address is one thing; text that repeats a control's name is none."""

    def __init__(self, page: AxTree) -> None:
        self._things: dict[str, set[str]] = {}
        for line in page.lines:
            if line.bid and line.role in INTERACTIVE_ROLES:
                self._things.setdefault(line.name, set()).add(_thing(line))

    def needs_label(self, line: AxLine) -> bool:
        return not line.name.strip() or bool(self._things.get(line.name, set()) - {_thing(line)})


def _thing(line: AxLine) -> str:
    return f"{line.role} {properties(line).get('url') or line.number}"


@dataclass(frozen=True)
class Survivors:
    """What a reducer left of a page: line number of the page as received -> the text that is shown for it.

    Lines that were reduced to bid or role are not in `texts`."""

    page: AxTree
    texts: Mapping[int, str]

    @cached_property
    def _shown(self) -> dict[int, AxLine]:
        return {number: self.page.reread(number, text) for number, text in self.texts.items()}

    @cached_property
    def _namesakes(self) -> dict[tuple[str, str], set[str]]:
        """(role, name as shown) -> the whole names that it stands for."""
        uses: dict[tuple[str, str], set[str]] = {}
        for number, shown in self._shown.items():
            uses.setdefault((shown.role, shown.name), set()).add(self.page.line(number).name)
        return uses

    def holds(self, number: int) -> bool:
        """The line is shown with its role and a name that tells it from every other line shown."""
        shown, line = self._shown.get(number), self.page.line(number)
        if shown is None or (shown.role, shown.bid) != (line.role, line.bid):
            return False
        return shown.name[:NAME_LENGTH] == line.name[:NAME_LENGTH] and len(self._namesakes[shown.role, shown.name]) == 1

    def says(self, number: int) -> bool:
        """The line is shown, or it is bare text that the line above it, which is shown, repeats in its name."""
        if self.holds(number):
            return True
        line, parent = self.page.line(number), self.page.parent(number)
        shown = self._shown.get(parent)
        return shown is not None and not line.bid and line.role == "StaticText" and line.name in shown.name

    def tells(self, text: str) -> bool:
        """Some line shown holds the text in its name, a property or elsewhere; a number counts as a whole only."""
        pattern = _whole_numbers(text)
        return any(pattern.search(part) for line in self._shown.values() for part in (line.name, _beyond_bid(line)))


def _whole_numbers(text: str) -> re.Pattern[str]:
    before = r"(?<![\d])" if text[:1].isdigit() else ""
    after = r"(?![\d])" if text[-1:].isdigit() else ""
    return re.compile(before + re.escape(text) + after)


def _beyond_bid(line: AxLine) -> str:
    return line.text.removeprefix("\t" * line.depth).removeprefix(f"[{line.bid}]")


def covers_target(survivors: Survivors, target_id: str) -> bool:
    """The element acted on survives, with its role and a name that tells it apart."""
    return survivors.holds(survivors.page.by_bid[target_id])


def covers_context(survivors: Survivors, target_id: str, ambiguity: Ambiguity | None = None) -> bool:
    """Besides, the nearest named ancestor survives, and the label where the name is empty or not unique on the page."""
    page = survivors.page
    number = page.by_bid[target_id]
    if not survivors.holds(number):
        return False
    ancestor = named_ancestor(page, number)
    if ancestor and not survivors.says(ancestor):
        return False
    if not (ambiguity or Ambiguity(page)).needs_label(page.line(number)):
        return True
    before = label(page, number)
    return not before or survivors.says(before)


def covers_needed(survivors: Survivors, needed: LineRanges) -> bool:
    """Each needed line survives with its text."""
    return all(survivors.says(number) for number in needed)


def covers_answer(survivors: Survivors, target_texts: tuple[str, ...]) -> bool:
    """Each text of the answer survives on some line."""
    return all(survivors.tells(text) for text in target_texts)
