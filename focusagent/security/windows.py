"""Where enough evidence stands together, and which lines carry it: those are the attack, not their neighbours."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from focusagent.security.passages import Passage
from focusagent.security.rules import Evidence, rules

THRESHOLD, WINDOW, APART, JOINED, GRAVE = 2.5, 320, 0.5, 1.0, 2.0
STRONG = "strong"
DECISIVE = frozenset("action_syntax prompt_syntax tree_syntax encoded retriever".split())
_REPORTS = re.compile(
    r"\b(?:said|says|wrote|writes|written|posted|posts|asked|claims?|claimed|reads?|quote[sd]?|phishing|scam|spam"
    r"|injection|jailbreak|example of|e-?mail)\b"
)
_QUOTED = re.compile(r"[\"\u201c\u00ab\u201e`]([^\"\u201c\u201d\u00ab\u00bb\u201e`]{12,})[\"\u201d\u00bb\u201c`]")


class Stretch(NamedTuple):
    """Characters start..end of a passage that are one attack, what gives it away, and the kinds of evidence that each
    of its lines (by index) holds; `STRONG` stands for those that can make an attack."""

    start: int
    end: int
    why: dict[str, None]
    kinds: dict[int, set[str]]

    def carriers(self, passage: Passage) -> Iterator[tuple[int, str]]:
        """(line number, its part of the text) of the lines that are the attack: those that hold more than wording which
        honest text is full of, and those that are a part of a sentence with others."""
        known, goes_on = places_of(self.kinds.values()), False
        for index, text in passage.between(self.start, self.end):
            kinds, own = self.kinds.get(index, set()), passage.new_thought(index)
            if passage.units:
                part = bool(kinds) and goes_on and not own
            else:
                part = not own or not passage.new_thought(index + 1)
            if goes_on := part or carries(kinds, known):
                yield passage.lines[index], text


@cache
def _weak_kinds() -> frozenset[str]:
    return frozenset(rule.kind for rule in rules() if not rule.core)


def kind_of(evidence: Evidence) -> str:
    """Its kind where it only adds to others, the address where it leads somewhere, else STRONG."""
    if evidence.kind == "destination":
        return evidence.why
    return evidence.kind if evidence.kind in _weak_kinds() else STRONG


def _places(kinds: set[str]) -> set[str]:
    return kinds - _weak_kinds() - {STRONG}


def carries(kinds: set[str], known: set[str]) -> bool:
    """Whether a line with evidence of these kinds is part of the attack beside it: not for wording that honest text is
    full of, nor for an address where the attack has one (`known`) and it is another."""
    places = _places(kinds)
    return STRONG in kinds or bool(places & known if known else places)


def places_of(lines: Iterable[set[str]]) -> set[str]:
    """The addresses in lines that hold more than an address."""
    return set[str]().union(*(_places(kinds) for kinds in lines if STRONG in kinds))


def attacked(passage: Passage, found: Sequence[Evidence]) -> Iterator[Stretch]:
    """The stretches in which evidence weighs enough within a window: in one line, a little more over several, and more
    again, half of it grave, over texts that were only joined on suspicion. Those that overlap are one. `found` is in
    order of place."""
    judge = _Judge(passage, found)
    stretch, seen = Stretch(0, 0, {}, {}), 0
    for first, last in judge.windows():
        start, end = judge.placed[first].start, judge.reach(first, last)
        if start >= stretch.end:
            if stretch.kinds:
                yield stretch
            why = dict.fromkeys(one.why for one in judge.everywhere)
            stretch, seen = Stretch(start, end, why, {}), first
        stretch = stretch._replace(start=min(stretch.start, start), end=max(stretch.end, end))
        for index in range(seen, last):
            stretch.why.setdefault(judge.placed[index].why)
        for line, kinds in judge.kinds(seen, last).items():
            stretch.kinds.setdefault(line, set()).update(kinds)
        seen = max(seen, last)
    if stretch.kinds:
        yield stretch


class _Judge:
    """Weighs the evidence of one passage. `placed[i]` touches the lines (by index) `touched[i]`; `everywhere` holds
    wherever in the passage one looks. A window is `placed[first:last]`."""

    def __init__(self, passage: Passage, found: Sequence[Evidence]) -> None:
        self.passage = passage
        self.everywhere = [evidence for evidence in found if evidence.start < 0]
        self.placed = [evidence for evidence in found if evidence.start >= 0]
        self.touched = [(passage.index(one.start), passage.index(max(one.start, one.end - 1))) for one in self.placed]
        self.reports = [match.start() for match in _REPORTS.finditer(passage.text)] if self.placed else []

    def windows(self) -> Iterator[tuple[int, int]]:
        """Every window that is an attack, narrowed to what carries it."""
        last, line_end, present = 0, 0, Counter[str]()
        settled = 0  # before it, windows over several lines narrow to one that begins there
        most: dict[str, float] = {}
        for one in (*self.placed, *self.everywhere):
            most[one.kind] = max(most.get(one.kind, 0), one.weight)
        base = sum(most[kind] for kind in {one.kind for one in self.everywhere})
        for first, begin in enumerate(self.placed):
            while last < len(self.placed) and self.placed[last].start < begin.start + WINDOW:
                present[self.placed[last].kind] += 1
                last += 1
            if base + sum(most[kind] for kind in present) >= THRESHOLD:
                line_end = max(line_end, first + 1)
                while line_end < last and self.touched[line_end][0] == self.touched[first][0]:
                    line_end += 1
                if not self.passage.units and self._is_attack(first, min(line_end, last)):
                    yield first, min(line_end, last)
                if first >= settled and self._crosses(first, last) and self._is_attack(first, last):
                    settled, end = self._narrowed(first, last)
                    yield settled, end
            present[begin.kind] -= 1
            if not present[begin.kind]:
                del present[begin.kind]

    def kinds(self, first: int, last: int) -> dict[int, set[str]]:
        """What kinds of evidence (as by `kind_of`) each line of a window holds; STRONG where it goes on in the next."""
        found: dict[int, set[str]] = {}
        for one, (top, bottom) in zip(self.placed[first:last], self.touched[first:last], strict=True):
            for line in range(top, bottom + 1):
                found.setdefault(line, set()).add(kind_of(one) if top == bottom else STRONG)
        return found

    def reach(self, first: int, last: int) -> int:
        return max(one.end for one in self.placed[first:last])

    def _is_attack(self, first: int, last: int) -> bool:
        weights: dict[str, float] = {}
        for one in (*self.placed[first:last], *self.everywhere):
            weights[one.kind] = max(weights.get(one.kind, 0), one.weight)
        total, needed = sum(weights.values()), self._threshold(first, last)
        if self.passage.units and sum(weights[kind] for kind in weights.keys() - _weak_kinds()) < GRAVE:
            return False
        return total >= needed and total * self._belief(first, last, weights) >= needed

    def _threshold(self, first: int, last: int) -> float:
        if self.touched[first][0] == self._last_line(first, last):
            return THRESHOLD
        return THRESHOLD + (JOINED if self.passage.units and self._crosses(first, last) else APART)

    def _last_line(self, first: int, last: int) -> int:
        return max(lines[1] for lines in self.touched[first:last])

    def _crosses(self, first: int, last: int) -> bool:
        """Whether it is more than one line or, of texts joined on suspicion, more than one of them."""
        one, other = self.touched[first][0], self._last_line(first, last)
        return self.passage.units[one] != self.passage.units[other] if self.passage.units else one != other

    def _narrowed(self, first: int, last: int) -> tuple[int, int]:
        """Without the lines at its ends that begin something of their own and hold nothing but wording that honest
        text is full of, as long as the rest is an attack by itself."""
        while True:
            top, bottom = self.touched[first][0], self._last_line(first, last)
            rests = ((self._up_to(first, last, bottom), bottom), (self._after(first, last, top), top + 1))
            for (one, other), boundary in rests if top < bottom else ():
                cut = (*self.placed[first:one], *self.placed[other:last])
                cut_kinds = {kind_of(evidence) for evidence in cut}
                honest = bool(cut) and not carries(cut_kinds, places_of(self.kinds(one, other).values()))
                if honest and one < other and self.passage.new_thought(boundary) and self._is_attack(one, other):
                    first, last = one, other
                    break
            else:
                return first, last

    def _up_to(self, first: int, last: int, line: int) -> tuple[int, int]:
        """The window without what touches its last line."""
        while last > first and self.touched[last - 1][1] == line:
            last -= 1
        return first, last

    def _after(self, first: int, last: int, line: int) -> tuple[int, int]:
        while first < last and self.touched[first][0] == line:
            first += 1
        return first, last

    def _leads_on(self, first: int, last: int) -> bool:
        """Whether an address stands in a line with other evidence, or goes on with the sentence before it: a line of
        its own that only names one may be somebody else's."""
        return any(
            _places(kinds) and (STRONG in kinds or not self.passage.new_thought(line))
            for line, kinds in self.kinds(first, last).items()
        )

    def _belief(self, first: int, last: int, kinds: Mapping[str, float]) -> float:
        """Less than half for wording that a text only reports in quotation marks and that leads nowhere."""
        if DECISIVE & set(kinds) or self._leads_on(first, last):
            return 1.0
        window = self.placed[first:last]
        start, end = max(0, window[0].start - WINDOW), self.reach(first, last) + WINDOW
        nearest = bisect_left(self.reports, start)
        if nearest == len(self.reports) or self.reports[nearest] >= end:
            return 1.0
        quoted = [match.span(1) for match in _QUOTED.finditer(self.passage.text, start, end)]
        spans = [(one.start, one.end) for one in window if one.weight >= 1 and one.kind != "destination"]
        return 0.4 if spans and all(any(a <= begin and stop <= b for a, b in quoted) for begin, stop in spans) else 1.0
