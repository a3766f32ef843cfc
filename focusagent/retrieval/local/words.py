"""Words of a goal and of lines, in any language, and how well they match."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import dataclass
from functools import lru_cache

from focusagent.retrieval.local.values import with_values

_WORD = re.compile(r"[^\W_]+")
_UNSPACED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_QUOTED = re.compile(r"\"([^\"]{2,400})\"|'([^']{2,400})'|“([^”]{2,400})”|«([^»]{2,400})»|「([^」]{1,400})」")
_IDENTIFIER = re.compile(r"[\w.+-]+@[\w.-]+|\b(?=\w*\d)[\w-]{4,}\b")
MAX_GOAL_WORDS = 2_000


@lru_cache(maxsize=100_000)
def words(text: str) -> tuple[str, ...]:
    """Lower-case word stems; numbers and dates by value; scripts that put no spaces between words give pairs of
    characters."""
    found: list[str] = []
    for word in _WORD.findall(with_values(text.casefold())):
        if _UNSPACED.search(word):
            found.extend(word[i : i + 2] for i in range(max(len(word) - 1, 1)))
        else:
            found.append(_stem(word))
    return tuple(found)


def _stem(word: str) -> str:
    """Common English endings off, which does little harm elsewhere."""
    for ending in ("ing", "ies", "es", "ed", "s"):
        if len(word) > len(ending) + 3 and word.endswith(ending):
            return word[: -len(ending)]
    return word


@dataclass(frozen=True)
class Match:
    """How a line's words and the goal's meet, all in 0..1: `precision` is the share of the line's word weight that the
    goal holds, `strength` the matched weight against the page's best, `phrase` says that the whole line stands in
    the goal, `quote` how much it holds of something that the goal quotes or identifies, in any order."""

    precision: float = 0.0
    strength: float = 0.0
    phrase: float = 0.0
    quote: float = 0.0


NO_MATCH = Match()


class Matcher:
    """The words of a goal, weighed by how rare they are on the page."""

    def __init__(self, goal: str, texts: Sequence[str]) -> None:
        goal_words = words(goal)[:MAX_GOAL_WORDS]
        self._goal = frozenset(goal_words)
        self._phrase = f" {' '.join(goal_words)} "
        quotes = ["".join(match.groups(default="")) for match in _QUOTED.finditer(goal)] + _IDENTIFIER.findall(goal)
        documents = Counter(word for text in set(texts) for word in set(words(text)))
        size = len(texts)
        self._weights = {word: math.log(1 + size / count) for word, count in documents.items()}
        self._quotes = [self._weighed(words(quote)) for quote in dict.fromkeys(quotes) if words(quote)]
        self._cache: dict[str, tuple[float, float, float, float]] = {}
        self._best = max((self._raw(text)[1] for text in set(texts)), default=0.0) or 1.0

    def match(self, text: str) -> Match:
        precision, matched, phrase, quote = self._raw(text)
        return Match(precision, matched / self._best, phrase, quote) if matched or phrase or quote else NO_MATCH

    @staticmethod
    def _held(quoted: dict[str, float], own: Container[str]) -> float:
        """The share of the quote's weight that `own` words hold, squared: two halves are not one whole."""
        return sum(share for word, share in quoted.items() if word in own) ** 2

    def _weighed(self, own: Sequence[str]) -> dict[str, float]:
        """Word -> its share of the words' weight."""
        weights = {word: self._weights.get(word, 1.0) for word in own}
        total = sum(weights.values())
        return {word: weight / total for word, weight in weights.items()}

    def _raw(self, text: str) -> tuple[float, float, float, float]:
        if (known := self._cache.get(text)) is not None:
            return known
        own = words(text)
        weights = {word: self._weights.get(word, 1.0) for word in own}
        matched = sum(weight for word, weight in weights.items() if word in self._goal)
        result = (0.0, 0.0, 0.0, 0.0)
        if matched:
            joined = f" {' '.join(own)} "
            phrase = float(len(joined) > 4 and joined in self._phrase)
            quote = max((self._held(quoted, weights) for quoted in self._quotes), default=0.0)
            result = (matched / sum(weights.values()), matched, phrase, quote)
        self._cache[text] = result
        return result


_QUESTION_MARKS = ("?", "？", "؟")
_ASKING = frozenset(
    "answer what which who whom whose when where how why tell find list show give get report return count identify"
    " was wer wie wo wann welche welcher welches quel quelle quels combien qui quand où que qué cuál quién cuánto cómo"
    " quale chi quando quanto come qual quem quanto wat welke wie hoeveel".split()
)


def asks(goal: str) -> bool:
    """Whether the goal wants something told rather than done: an asking word among its first, or a question mark
    outside of what it quotes, since the fields of a form may be questions."""
    own = _QUOTED.sub(" ", goal)
    return any(mark in own for mark in _QUESTION_MARKS) or any(
        word in _ASKING for word in _WORD.findall(goal.casefold())[:3]
    )
