"""What a dialect is: how a text reads as lines of a tree, and how an element or a gap is written in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from focusagent.axtree.line import AxLine, ForeignLine, in_browsergym
from focusagent.axtree.ranges import LineRanges

Properties = Mapping[str, str]


@dataclass(frozen=True)
class Reading:
    """A text read in one dialect."""

    lines: tuple[AxLine, ...]
    owners: Mapping[int, int] = field(default_factory=dict)
    """Line number -> number of the line it belongs to; both are kept or removed together. The lines that belong to
    another come right after it."""
    fixed: LineRanges = LineRanges()
    """Lines that are no part of the page (headings of an answer, fences) and always stay."""
    unread: LineRanges = LineRanges()
    """Lines that should be elements and cannot be read as such; a defence withholds them."""
    root: int = 1
    """Number of the line that stands for the page."""


@dataclass(frozen=True)
class Dialect:
    """One way of writing a tree."""

    name: str
    fits: Callable[[str], bool]
    """Whether a line, read alone, is an element (or part of one) in this dialect; the lines of a text vote."""
    read: Callable[[Sequence[str]], Reading]
    """Reads lines of text; never fails."""
    one: Callable[[int, str], AxLine]
    """(number, text) -> one line read by itself, with what belongs to it (after line feeds)."""
    write: Callable[[AxLine, str, str, str, Properties], str]
    """(line, bid, role, label, properties) -> the line's element in our own words; "" leaves a part out. It fits where
    the line stood."""
    gap: Callable[[int, str], str]
    """(depth, words) -> a line that says that something was removed and is no element."""
    edit: Callable[[str, Properties], str]
    """(text of an element with what belongs to it, property -> its new value, "" to take it out) -> the text with that
    done, as far as the dialect says the property."""
    nest: Callable[[str, int], str] | None = None
    """(text, depth) -> a kept line at the depth that its kept ancestors give it; None: lines stay as they are."""


_GAP = re.compile(r"\s*\.\.\. pruned \d+ lines?(?:: .*)? \.\.\.", re.DOTALL)


def is_gap(text: str) -> bool:
    """Whether the line stands for lines that were removed, in a tree that was pruned before."""
    return _GAP.fullmatch(text) is not None


def element(
    number: int, text: str, depth: int, bid: str, role: str, name: str, properties: Properties | None = None
) -> ForeignLine:
    """A line that is an element."""
    return ForeignLine(number, depth, bid, role, name, text, in_browsergym(depth, role, name, properties or {}))


def words(number: int, text: str, depth: int = 0) -> ForeignLine:
    """A line that is only text, whatever it looks like: no bid, no role but StaticText."""
    return element(number, text, depth, "", "StaticText", text.strip())


def attached(number: int, text: str, depth: int, role: str) -> ForeignLine:
    """A line whose content the line that it belongs to has in its own reading."""
    return ForeignLine(number, depth, "", role, "", text, "\t" * depth + role)
