"""Which part of a long text is shown where the whole does not fit: the window that holds most of the goal's words."""

from __future__ import annotations

import re
from collections import Counter, deque

from focusagent.axtree import AxLine
from focusagent.axtree.excerpt import Span, excerpt
from focusagent.models.tokens import count_tokens
from focusagent.retrieval.local.kinds import TELLING
from focusagent.retrieval.local.page import PageView
from focusagent.retrieval.local.words import words

MIN_LENGTH, WINDOW = 480, 320
REACH = 0.5
"""How much of the window the words may span: what they speak of stands beside them."""
_WORD = re.compile(r"[^\W_]+")


def long_texts(page: PageView) -> list[int]:
    """Indexes of the texts that may be shown in part: long ones that no control carries."""
    return [
        index
        for index, line in enumerate(page.lines)
        if len(line.text) > MIN_LENGTH
        and line.reading == line.text
        and page.kinds[index] in TELLING
        and not page.things.actable[index]
    ]


def cut(line: AxLine, goal: str) -> tuple[Span, int]:
    """The characters of the line's name (of its text where it has none) to show, and the tokens of the line then."""
    text = line.name or line.text[line.depth :]
    span = window(text, frozenset(words(goal)))
    return span, count_tokens(excerpt(line.text, [span]) + "\n")


def window(text: str, wanted: frozenset[str], length: int = WINDOW) -> Span:
    """The first stretch of at most `length` characters, whole words, whose different wanted words are the rarest in the
    text. Linear in the text."""
    found = [
        (match.start(), match.end(), word)
        for match in _WORD.finditer(text)
        for word in words(match[0])
        if word in wanted
    ]
    rarity = Counter(word for _, _, word in found)
    held: Counter[str] = Counter()
    inside: deque[tuple[int, int, str]] = deque()
    weight, best, centre = 0.0, 0.0, length // 2
    for start, end, word in found:
        inside.append((start, end, word))
        weight += (held[word] == 0) / rarity[word]
        held[word] += 1
        while inside and end - inside[0][0] > length * REACH:
            gone = inside.popleft()[2]
            held[gone] -= 1
            weight -= (held[gone] == 0) / rarity[gone]
        if weight > best + 1e-9 and inside:
            best, centre = weight, (inside[0][0] + end) // 2
    return _whole_words(text, max(centre - length // 2, 0), length)


def _whole_words(text: str, start: int, length: int) -> Span:
    end = min(start + length, len(text))
    start = max(end - length, 0)
    if start and (space := text.find(" ", start, start + 40)) >= 0:
        start = space + 1
    if end < len(text) and (space := text.rfind(" ", end - 40, end)) > start:
        end = space
    return start, end
