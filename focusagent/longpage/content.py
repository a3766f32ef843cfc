"""Text for the sites, made from a seed: people, topics, titles, paragraphs. The same seed gives the same text."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def word_list(name: str) -> Any:
    """The parsed JSON file `data/NAME.json` of this package."""
    return json.loads(files("focusagent.longpage").joinpath("data", f"{name}.json").read_text(encoding="utf-8"))


class Writer:
    """Draws from one random stream, so what it writes depends on the order of calls."""

    def __init__(self, seed: object) -> None:
        self.random = random.Random(str(seed))

    def person(self) -> str:
        people = word_list("people")
        return f"{self.random.choice(people['first'].split())} {self.random.choice(people['last'].split())}"

    def handles(self, count: int) -> list[str]:
        """Distinct user names such as `mellow_heron42`."""
        words, names = word_list("people")["handle"].split(), dict[str, None]()
        while len(names) < count:
            first, second = self.random.sample(words, 2)
            names[
                self.random.choice((f"{first}_{second}", f"{first}{second}", f"{first}-{second}")) + self._number()
            ] = None
        return list(names)

    def _number(self) -> str:
        return str(self.random.randint(2, 99)) if self.random.random() < 0.6 else ""

    def line(self, kind: str, topic: str) -> str:
        """One line of `sentences.json`'s kind with the topic's words in its slots."""
        return self.fill(self.random.choice(word_list("sentences")[kind]), word_list("topics")[topic])

    def fill(self, pattern: str, words: Mapping[str, Any]) -> str:
        """Replace `{slot}` and `{slot2}` by two different words of the topic; `{Slot}` starts with a capital."""
        drawn = {slot: self.random.sample(words[f"{slot}s"], 2) for slot in ("thing", "act", "problem", "place")}
        number = str(self.random.randint(2, 9))

        def value(match: re.Match[str]) -> str:
            name, second = match[1], match[2] == "2"
            text = number if name == "n" else drawn[name.lower()][second]
            return text[0].upper() + text[1:] if name[0].isupper() else text

        return re.sub(r"\{([A-Za-z]+)(2?)\}", value, pattern)

    def paragraph(self, topic: str, sentences: int) -> str:
        return " ".join(self.line("sentence", topic) for _ in range(sentences))

    def text(self, topic: str, paragraphs: int, imperatives: float = 0.04) -> tuple[str, ...]:
        """Paragraphs of two to six sentences; some hold a harmless imperative, as real pages do."""
        made = []
        for _ in range(paragraphs):
            made.append(self.paragraph(topic, self.random.randint(2, 6)))
            if self.random.random() < imperatives:
                made.append(self.random.choice(word_list("sentences")["imperative"]))
        return tuple(made)


def slug(text: str) -> str:
    """The words of a title as they stand in an address, "-" where it has none in Latin letters."""
    return re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")[:80] or "-"


def ago(minutes: int) -> str:
    """An age as sites print it."""
    for unit, length in (("year", 525_600), ("month", 43_800), ("day", 1_440), ("hour", 60), ("minute", 1)):
        if minutes >= length:
            count = minutes // length
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    return "just now"
