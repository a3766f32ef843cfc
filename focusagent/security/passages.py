"""The tree cut into passages: stretches of text that one reader would take in as one, with their line numbers."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from focusagent.axtree import AxLine, AxTree
from focusagent.axtree.properties import properties
from focusagent.security.normalise import data_url_text, plain

PROSE = frozenset(
    "StaticText paragraph strong emphasis LabelText Legend listitem ListMarker superscript subscript mark code time"
    " link heading generic term definition blockquote caption LayoutTableCell insertion deletion note".split()
)
BLOCKS = frozenset("paragraph listitem heading blockquote caption LayoutTableCell note term definition".split())
MIN_PROPERTY = 12
_SLUG = re.compile(r"[-_+./=&?#:,]+")
_FULL_STOP = re.compile(r"[.!?:;…。！？][\"')\]\s\u201d\u2019]*$")
_ADDRESS = re.compile(r"[\w-]+(?:\.\w|:/)")
_BARE = re.compile(r"\s*(?:\[[A-Za-z0-9]+\] ?)?(?:RootWebArea|StaticText)?")


@dataclass(frozen=True)
class Passage:
    """`text` is plain (normalised); `starts[i]` is where line `lines[i]` begins in it, `raws[i]` that line's text as it
    stood, `links[i]` the address it leads to ("" for none), `blocks[i]` whether it is a block of its own. With `units`,
    pieces that nothing says belong together were joined on suspicion; pieces of one unit are read together elsewhere.
    """

    text: str
    raws: tuple[str, ...]
    lines: tuple[int, ...]
    starts: tuple[int, ...]
    is_url: bool = False
    links: tuple[str, ...] = ()
    blocks: tuple[bool, ...] = (True,)
    units: tuple[int, ...] = ()

    def line_at(self, position: int) -> int:
        return self.lines[self.index(position)]

    def between(self, start: int, end: int) -> Iterator[tuple[int, str]]:
        """(index, its part of the text) for every line that characters start..end touch."""
        for index in range(self.index(start), self.index(max(start, end - 1)) + 1):
            stop = self.starts[index + 1] if index + 1 < len(self.starts) else len(self.text)
            yield index, self.text[max(start, self.starts[index]) : min(end, stop)]

    def index(self, position: int) -> int:
        """Which of its lines a position of the text is in."""
        return max(0, bisect_right(self.starts, position) - 1)

    def new_thought(self, index: int) -> bool:
        """Whether the line with this index begins something of its own, as whatever stands outside does."""
        if not 0 < index < len(self.lines):
            return True
        apart = self.blocks[index] or self.lines[index] > self.lines[index - 1] + 1
        return begins_anew("." if apart else self.raws[index - 1], self.raws[index])


def begins_anew(before: str, text: str) -> bool:
    """Whether a text is no part of the sentence before it: a full stop there, and no small letter first (an address has
    no capitals)."""
    begins = text.lstrip()
    return bool(_FULL_STOP.search(before[-8:])) and (not begins[:1].islower() or bool(_ADDRESS.match(begins)))


def shown_text(line: AxLine) -> str:
    """What a line says: its name or, in trees that do not quote names, all of it."""
    if line.name or "''" in line.reading or '""' in line.reading:
        return line.name
    return _BARE.sub("", line.reading, count=1)


def passages(tree: AxTree) -> Iterator[Passage]:
    """Every text of the tree at least once: runs of prose joined, names of controls alone, string properties alone."""
    for run in runs_of_prose(tree):
        yield from _joined(run)
    for line in tree.lines:
        yield from _of_properties(line)


def runs_of_prose(tree: AxTree) -> Iterator[list[AxLine]]:
    """The tree's lines in order, those together that one reads as one text; a control is a run of its own."""
    run: list[AxLine] = []
    for line in tree.lines:
        if line.role in PROSE:
            run.append(line)
        elif line.role != "InlineTextBox" or line.name not in tree.line(tree.parent(line.number) or 1).name:
            yield run
            yield [line]
            run = []
    yield run


def _joined(lines: list[AxLine]) -> Iterator[Passage]:
    texts, kept, starts, position = [], [], [], 0
    for line in lines:
        if text := plain(shown_text(line)):
            texts.append(text)
            kept.append(line)
            starts.append(position)
            position += len(text) + 1
    if texts:
        yield Passage(
            " ".join(texts),
            tuple(map(shown_text, kept)),
            tuple(line.number for line in kept),
            tuple(starts),
            links=tuple(properties(line).get("url", "") if line.role == "link" else "" for line in kept),
            blocks=tuple(line.role in BLOCKS or line.role not in PROSE for line in kept),
        )


def _of_properties(line: AxLine) -> Iterator[Passage]:
    if "=" not in line.reading:
        return
    for name, value in properties(line).items():
        if len(value) < MIN_PROPERTY:
            continue
        raw = url_text(value) if name == "url" or value.startswith("data:") else value
        if text := plain(raw):
            is_url = name == "url" and not value.startswith("data:")
            yield Passage(text, (raw,), (line.number,), (0,), is_url, (value if is_url else "",))


def url_text(url: str) -> str:
    """The words that a URL carries beside its address: path, query and fragment, unescaped; a data URL's text."""
    if url.startswith("data:"):
        return data_url_text(url)
    path = re.sub(r"^[a-z]+:/*[^/?#]*", "", url, flags=re.IGNORECASE)
    return _SLUG.sub(" ", unquote(unquote(path))) if len(path) >= MIN_PROPERTY else ""
