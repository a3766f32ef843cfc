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
MIN_PROPERTY = 12
_SLUG = re.compile(r"[-_+./=&?#:,]+")
_BARE = re.compile(r"\s*(?:\[[A-Za-z0-9]+\] ?)?(?:RootWebArea|StaticText)?")


@dataclass(frozen=True)
class Passage:
    """`text` is plain (normalised); `starts[i]` is where line `lines[i]` begins in it, `raws[i]` that line's text as it
    stood, `links[i]` the address it leads to ("" for none)."""

    text: str
    raws: tuple[str, ...]
    lines: tuple[int, ...]
    starts: tuple[int, ...]
    is_url: bool = False
    links: tuple[str, ...] = ()

    def line_at(self, position: int) -> int:
        return self.lines[self._index(position)]

    def between(self, start: int, end: int) -> Iterator[tuple[int, str]]:
        """(line number, its part of the text) for every line that characters start..end touch."""
        for index in range(self._index(start), self._index(max(start, end - 1)) + 1):
            stop = self.starts[index + 1] if index + 1 < len(self.starts) else len(self.text)
            yield self.lines[index], self.text[max(start, self.starts[index]) : min(end, stop)]

    def _index(self, position: int) -> int:
        return max(0, bisect_right(self.starts, position) - 1)


def shown_text(line: AxLine) -> str:
    """What a line says: its name or, in trees that do not quote names, all of it."""
    if line.name or "''" in line.text or '""' in line.text:
        return line.name
    return _BARE.sub("", line.text, count=1)


def passages(tree: AxTree) -> Iterator[Passage]:
    """Every text of the tree at least once: runs of prose joined, names of controls alone, string properties alone."""
    run: list[AxLine] = []
    for line in tree.lines:
        if line.role in PROSE:
            run.append(line)
        elif line.role != "InlineTextBox" or line.name not in tree.line(tree.parent(line.number) or 1).name:
            yield from _joined(run)
            yield from _joined([line])
            run = []
        yield from _of_properties(line)
    yield from _joined(run)


def _joined(lines: list[AxLine]) -> Iterator[Passage]:
    pieces, raws, numbers, starts, links, position = [], [], [], [], [], 0
    for line in lines:
        raw = shown_text(line)
        if piece := plain(raw):
            pieces.append(piece)
            raws.append(raw)
            numbers.append(line.number)
            starts.append(position)
            links.append(properties(line).get("url", "") if line.role == "link" else "")
            position += len(piece) + 1
    if pieces:
        yield Passage(" ".join(pieces), tuple(raws), tuple(numbers), tuple(starts), links=tuple(links))


def _of_properties(line: AxLine) -> Iterator[Passage]:
    if "=" not in line.text:
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
