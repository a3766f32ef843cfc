"""What is tried before any single line: the item that the goal means, whole, and the controls that a page has once."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from focusagent.retrieval.local.features import NAMES
from focusagent.retrieval.local.kinds import ACTIVE
from focusagent.retrieval.local.page import PageView

Matrix = NDArray[np.float64]
MEANT = 1.0
MAX_OPTIONS = 8


def marks(page: PageView, matrix: Matrix) -> dict[int, int]:
    """For each best item, by the index of its head, the line of it that matches best: what tells it from its like."""
    own = matrix[:, NAMES.index("quote_own")] + matrix[:, NAMES.index("strength_own")]
    found: dict[int, int] = {}
    for index in np.flatnonzero(matrix[:, NAMES.index("best_item")]):
        head = page.group[index]
        if head not in found or own[index] > own[found[head]]:
            found[head] = int(index)
    return found


def firsts(
    page: PageView, matrix: Matrix, scores: Matrix, whole: float, controls: float
) -> Iterator[tuple[list[int], float]]:
    """Lines to keep together, and the share of the budget that may be spent once they are kept: the controls whose name
    the page has once, outside of repeated items, the best first; then what is named in each item that alone matches
    best among its like, the shortest lines first."""
    repeated, sole = matrix[:, NAMES.index("in_repeated")], matrix[:, NAMES.index("sole_control")]
    own = [index for index in np.flatnonzero((sole > 0) & (repeated == 0)).tolist() if _is_control(page, index)]
    own.sort(key=lambda index: (-scores[index], index))
    for index in own:
        yield [index], controls
    for index in own:
        if page.kinds[index] == "combobox" and 0 < len(options := _options(page, index)) <= MAX_OPTIONS:
            yield [index, *options], controls
    quote = matrix[:, NAMES.index("quote_own")]
    for head in _alone(page, matrix):
        lines = [index for index in range(head, _end(page, head)) if page.named[index]]
        for index in sorted(lines, key=lambda index: (-quote[index], len(page.lines[index].text))):
            yield [head, index], whole


def _options(page: PageView, index: int) -> list[int]:
    end = index + 1
    while end < len(page.lines) and page.lines[end].depth > page.lines[index].depth:
        end += 1
    return [each for each in range(index + 1, end) if page.kinds[each] == "option"]


def _is_control(page: PageView, index: int) -> bool:
    return page.kinds[index] in ACTIVE - {"option"} and "contentinfo" not in page.regions[index]


def _alone(page: PageView, matrix: Matrix) -> list[int]:
    """Heads of the items outside navigation that match the goal better than every other of their list does."""
    likes: dict[str, list[int]] = {}
    for head in dict.fromkeys(page.group):
        if head in page.heads and "navigation" not in page.regions[head]:
            likes.setdefault(page.lines[head].role, []).append(head)
    match = matrix[:, [NAMES.index(name) for name in ("quote_group", "phrase_group", "strength_group")]].sum(axis=1)
    found = []
    for heads in likes.values():
        first, *others = sorted(heads, key=lambda head: -match[head])
        if others and match[first] > match[others[0]] and match[first] >= MEANT:
            found.append(first)
    return sorted(found, key=lambda head: -match[head])


def _end(page: PageView, head: int) -> int:
    end = head + 1
    while end < len(page.lines) and page.group[end] == head:
        end += 1
    return end
