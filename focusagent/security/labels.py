"""How a line's text fits its role: an alt text or a button's label that lectures is suspicious in itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from focusagent.axtree import AxLine, AxTree
from focusagent.security.normalise import plain

LABELLED = frozenset(
    "button image img dialog alertdialog alert status tooltip textbox searchbox combobox checkbox radio switch tab"
    " menuitem option Iframe figure slider spinbutton toolbar banner complementary document graphics-document".split()
)
COVERS = frozenset("dialog alertdialog alert".split())
MAX_WORDS, MAX_LENGTH, SHINGLE = 12, 200, 8


class Labels:
    """Judges the labels of one tree. Its evidence never makes an attack alone."""

    def __init__(self, tree: AxTree) -> None:
        self.tree = tree
        self._copies = Counter(run for line in tree.lines if _is_long_label(line) for run in _runs(line))
        self._covered = set(_covered(tree))

    def evidence(self, number: int) -> Iterator[tuple[str, float, str]]:
        """(kind, weight, why) for the line with that number."""
        line = self.tree.line(number)
        if _is_long_label(line) or number in self._covered:
            yield "carrier", 0.75, "stands where a short label or a plain notice belongs"
        if line.role in LABELLED and len(line.name) > MAX_LENGTH:
            yield "length", 0.5, "is improbably long for its role"
        if _is_long_label(line) and any(self._copies[run] > 1 for run in _runs(line)):
            yield "copied", 0.75, "repeats the label of another element"


def _is_long_label(line: AxLine) -> bool:
    return line.role in LABELLED and line.name.count(" ") >= MAX_WORDS - 1


def _runs(line: AxLine) -> set[tuple[str, ...]]:
    words = plain(line.name).split()
    return {tuple(words[start : start + SHINGLE]) for start in range(0, len(words) - SHINGLE + 1)}


def _covered(tree: AxTree) -> Iterator[int]:
    """The lines of dialogs and alerts; each once, however deep they are nested."""
    end = 0
    for line in tree.lines:
        if line.role in COVERS:
            end = max(end, tree.subtree(line.number)[1])
        if line.number <= end:
            yield line.number
