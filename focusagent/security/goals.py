"""The user's goal as a measure: a page that speaks in the goal's own words, or states another goal of its template."""

from __future__ import annotations

import re
from collections.abc import Iterator

from focusagent.security.normalise import plain
from focusagent.security.rules import Evidence

ECHO, OPENING, RIVAL_WORDS = 6, 4, 8
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
        frame = _SLOT.sub(" \0 ", self.text)
        self.words = _WORD.findall(self.text)
        self.opening = tuple(_WORD.findall(frame.split("\0")[0]))[:OPENING]
        self._runs = set(_echoes(self.text))

    def says(self, text: str) -> bool:
        """Whether the goal holds this plain text itself: then the user said it, whoever repeats it."""
        return bool(text) and text in self.text

    def evidence(self, text: str) -> Iterator[Evidence]:
        if len(self.opening) < 3 or not (" ".join(self.opening[:3]) in text or self._runs):
            return
        matches = list(_WORD.finditer(text))
        words = [match[0] for match in matches]
        for start in range(len(words) - ECHO + 1):
            if tuple(words[start : start + ECHO]) in self._runs:
                yield Evidence(
                    "goal_echo",
                    1.0,
                    "repeats the goal's words",
                    matches[start].start(),
                    matches[start + ECHO - 1].end(),
                )
        for start in range(len(words) - RIVAL_WORDS + 1):
            if tuple(words[start : start + len(self.opening)]) == self.opening:
                stretch = words[start : start + len(self.words)]
                if self._is_rival(stretch):
                    end = matches[min(start + len(stretch), len(matches)) - 1].end()
                    yield Evidence(
                        "rival_goal", 2.5, "states another goal of the same template", matches[start].start(), end
                    )

    def _is_rival(self, stretch: list[str]) -> bool:
        """Half of the goal's words and some that are not the goal's."""
        own = set(self.words)
        return len(own & set(stretch)) >= 0.5 * len(own) and bool(set(stretch) - own)
