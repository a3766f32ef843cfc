"""The user's goal as a measure: a page that speaks in the goal's own words, or states another goal of its template."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator

from focusagent.security.normalise import plain
from focusagent.security.rules import Evidence

RIVAL = "rival_goal"
ECHO, SHORTEST, ALIKE, MIN_FRAME = 6, 6, 0.6, 4
_WORD = re.compile(r"\w+")
_SLOT = re.compile(r"https?://\S+|\"[^\"]*\"|'[^']{3,}'|\u201c[^\u201d]*\u201d|\{[^}]*\}")


def _echoes(goal: str) -> Iterator[tuple[str, ...]]:
    """Runs of the goal's words of which half stand outside its slots."""
    slots = [match.span() for match in _SLOT.finditer(goal)]
    words = [(match[0], any(a <= match.start() < b for a, b in slots)) for match in _WORD.finditer(goal)]
    for start in range(len(words) - ECHO + 1):
        run = words[start : start + ECHO]
        if 2 * sum(in_slot for _, in_slot in run) <= ECHO:
            yield tuple(word for word, _ in run)


class Goal:
    """A goal's words; quoted slots, which pages repeat rightfully, count for little."""

    def __init__(self, goal: str) -> None:
        self.text = plain(goal)
        self.words = _WORD.findall(self.text)
        self._frame = _WORD.findall(_SLOT.sub(" ", self.text))
        self._counts = Counter(self._frame)
        self._places: dict[str, int] = defaultdict(int)  # the places of a word in the frame, as bits
        for place, word in enumerate(self._frame):
            self._places[word] |= 1 << place
        self._vocabulary = frozenset(self.words)
        self._runs = set(_echoes(self.text))

    def says(self, text: str) -> bool:
        """Whether the goal holds this plain text itself: then the user said it, whoever repeats it."""
        return bool(text) and text in self.text

    def evidence(self, text: str) -> Iterator[Evidence]:
        if len(self._frame) < MIN_FRAME or self.words[0] not in text:
            return
        matches = list(_WORD.finditer(text))
        words = [match[0] for match in matches]
        echoed = rivals = 0  # where the last finding ends: one stretch is found once
        for start in range(len(words) - SHORTEST + 1):
            echo = words[start : start + ECHO]
            if start >= echoed and tuple(echo) in self._runs:
                echoed = start + len(echo)
                yield Evidence(
                    "goal_echo", 1.0, "repeats the goal's words", matches[start].start(), matches[echoed - 1].end()
                )
            if start < rivals or words[start] != self.words[0]:
                continue
            if self._is_rival(stretch := words[start : start + len(self.words)]):
                rivals = start + len(stretch)
                end = matches[rivals - 1].end()
                yield Evidence(RIVAL, 2.5, "states another goal of the same kind", matches[start].start(), end)

    def _is_rival(self, stretch: list[str]) -> bool:
        """As long as a goal, beginning like the user's, alike in most words outside the slots and their order, and
        different in some."""
        alike = ALIKE * len(self._frame)
        if len(stretch) < SHORTEST or (self._counts & Counter(stretch)).total() < alike:
            return False
        return not self._vocabulary.issuperset(stretch) and self._in_order(stretch) >= alike

    def _in_order(self, stretch: list[str]) -> int:
        """Length of the longest common subsequence with the frame, a row of the usual table at a time: its zero bits
        are the places where the length grows (Crochemore et al., 2001)."""
        full = (1 << len(self._frame)) - 1
        row = full
        for word in stretch:
            met = row & self._places.get(word, 0)
            row = (row + met | row - met) & full
        return len(self._frame) - row.bit_count()
