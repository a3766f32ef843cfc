"""Texts that nothing says belong together, joined on suspicion: an attack cut over controls, names and properties.

Each stream is read like prose: the page in its own order, and each kind of element by itself, which joins the comments
of a thread over the buttons between them. A long piece takes part with its ends only, where a cut would be; whole it is
judged alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from focusagent.axtree import AxLine, AxTree
from focusagent.axtree.properties import properties
from focusagent.security.normalise import plain
from focusagent.security.passages import BLOCKS, Passage, runs_of_prose, shown_text

END = 320
UNJOINED = frozenset(("url", "value"))


class _Piece(NamedTuple):
    line: AxLine
    raw: str
    unit: int


def streams(tree: AxTree) -> Iterator[Passage]:
    """One passage of all texts of the tree in order, and one for each kind of element that occurs twice."""
    pieces = list(_pieces(tree))
    kinds: dict[tuple[str, str], list[_Piece]] = defaultdict(list)
    for piece in pieces:
        parent = tree.parent(piece.line.number)
        kinds[piece.line.role, tree.line(parent).role if parent else ""].append(piece)
    for stream in (pieces, *(kinds.values() if len(kinds) > 1 else ())):
        if len({piece.unit for piece in stream}) > 1:
            yield _passage(stream)


def _pieces(tree: AxTree) -> Iterator[_Piece]:
    for unit, run in enumerate(runs_of_prose(tree)):
        for line in run:
            parent = tree.parent(line.number)
            if (text := shown_text(line)) and not (parent and text in tree.line(parent).name):
                yield _Piece(line, _ends(text), 2 * unit)
            for name, value in properties(line).items() if "='" in line.reading or '="' in line.reading else ():
                if name not in UNJOINED and " " in value:
                    yield _Piece(line, _ends(value), 2 * unit + 1)


def _ends(text: str) -> str:
    return text if len(text) <= 2 * END else f"{text[:END]} \u2026 {text[-END:]}"


def _passage(pieces: list[_Piece]) -> Passage:
    texts, starts, position = [], [], 0
    for piece in pieces:
        texts.append(plain(piece.raw))
        starts.append(position)
        position += len(texts[-1]) + 1
    lines, raws, units = (tuple(column) for column in zip(*pieces, strict=True))
    numbers = tuple(line.number for line in lines)
    apart = (one != other for one, other in zip(units, (-1, *units), strict=False))
    blocks = tuple(line.role in BLOCKS or new for line, new in zip(lines, apart, strict=True))
    return Passage(" ".join(texts), raws, numbers, tuple(starts), blocks=blocks, units=units)
