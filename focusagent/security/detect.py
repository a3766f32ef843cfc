"""Find lines that carry instructions for the agent, without a model. Rules flag and say why; policy decides.

A passage is flagged where enough *different* kinds of evidence stand close together: that is what tells an attack from
a manual or a sign-up page, which use the same words one at a time. Quotation marks are no excuse where the text
brings its own address or action: an attacker can quote too. Linear in the length of the page."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from focusagent.axtree import AxTree, LineRanges
from focusagent.security.goals import Goal
from focusagent.security.labels import Labels
from focusagent.security.normalise import decoded, invisible_in_words, plain
from focusagent.security.origins import Origin, addresses, origin_of, page_origins
from focusagent.security.passages import Passage, passages
from focusagent.security.rules import Evidence, find
from focusagent.security.spread import spread

THRESHOLD, WINDOW, APART = 2.5, 320, 0.5
ENCODED, MAX_INVISIBLE = 1.5, 2.5
WHOLE = (-1, 0)  # the place of evidence that holds wherever in its passage one looks
DECISIVE = frozenset("destination action_syntax prompt_syntax tree_syntax encoded retriever".split())
_REPORTS = re.compile(
    r"\b(?:said|says|wrote|writes|written|posted|posts|asked|claims?|claimed|reads?|quote[sd]?|phishing|scam|spam"
    r"|injection|jailbreak|example of|e-?mail)\b"
)
_QUOTED = re.compile(r"[\"\u201c\u00ab\u201e`]([^\"\u201d\u00bb`]{12,})[\"\u201d\u00bb\u201c`]")


@dataclass(frozen=True)
class Detection:
    """`flagged`: lines whose text should not reach the agent; `reasons`: for each what was found, in words; `attacks`:
    for each the part that the evidence spans, in plain text, "" where it only belongs to another line."""

    flagged: LineRanges = LineRanges()
    reasons: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    attacks: Mapping[int, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.flagged)


def detect(tree: AxTree, goal: str = "", origins: Iterable[str] = ()) -> Detection:
    """Judge every line of a page as received. `origins` are further URLs whose origin is the task's own.

    Text that the goal itself holds is never evidence: the user said it."""
    known, wish, labels = page_origins(tree, goal, origins), Goal(goal), Labels(tree)
    reasons: dict[int, dict[str, None]] = defaultdict(dict)
    attacks: dict[int, list[str]] = defaultdict(list)
    for passage in passages(tree):
        found = sorted(_evidence(passage, wish, known, labels), key=lambda evidence: evidence.start)
        for window in _attacks(passage, found):
            start, end = window[0].start, max(evidence.end for evidence in window)
            if wish.says(passage.text[start:end]):
                continue
            why = dict.fromkeys(evidence.why for evidence in window)
            for number, text in passage.between(start, end):
                reasons[number].update(why)
                attacks[number].append(text)
    for number, source in spread(tree, reasons).items():
        reasons[number].setdefault(f"belongs to line {source}")
    return Detection(
        LineRanges.of_numbers(reasons),
        {number: tuple(why) for number, why in sorted(reasons.items())},
        {number: " ".join(attacks.get(number, ())) for number in reasons},
    )


def _evidence(passage: Passage, goal: Goal, known: frozenset[Origin], labels: Labels) -> Iterator[Evidence]:
    if goal.says(passage.text):
        return
    core = [*find(passage.text, core=True), *_hidden(passage)]
    core += () if passage.is_url else (*_destinations(passage.text, known), *goal.evidence(passage.text))
    if not core:
        return
    yield from core
    yield from find(passage.text, core=False)
    yield from _links(passage, known)
    for kind, weight, why in labels.evidence(passage.lines[0]) if len(passage.lines) == 1 else ():
        yield Evidence(kind, weight, why, *WHOLE)


def _destinations(text: str, known: frozenset[Origin] = frozenset()) -> Iterator[Evidence]:
    for address in addresses(text):
        if not any(_same_site(address.origin, origin) for origin in known):
            yield Evidence("destination", 1.0, f"brings its own address ({address.origin})", address.start, address.end)


def _links(passage: Passage, known: frozenset[Origin]) -> Iterator[Evidence]:
    """Links to other sites, which pages are full of; they count where a text speaks otherwise already."""
    for url, start in zip(passage.links, passage.starts, strict=False):
        origin = origin_of(url) if url else None
        if origin and not any(_same_site(origin, one) for one in known):
            weight = 1.0 if passage.is_url else 0.75
            yield Evidence("destination", weight, f"leads to another site ({origin})", start, start + 1)


def _same_site(one: Origin, other: Origin) -> bool:
    if one.host[-1:].isdigit() or {one.port, other.port} - {80, 443}:
        return one == other
    return one.host.split(".")[-2:] == other.host.split(".")[-2:]


def _hidden(passage: Passage) -> Iterator[Evidence]:
    """Words cut by what no reader sees, and text in another encoding, judged like the rest and placed at its line."""
    ends = (*passage.starts[1:], len(passage.text))
    for raw, *place in zip(passage.raws, passage.starts, ends, strict=True):
        if unseen := invisible_in_words(raw):
            weight = min(MAX_INVISIBLE, 0.5 * unseen)
            yield Evidence("invisible", weight, "words are cut by invisible characters", *place)
        found: dict[str, Evidence] = {}
        for encoding, text in decoded(raw):
            hidden = plain(text)
            if hidden == passage.text:
                continue
            found.setdefault("encoded", Evidence("encoded", ENCODED, f"holds text in {encoding}", *place))
            for one in (*find(hidden, core=True), *find(hidden, core=False), *_destinations(hidden)):
                found.setdefault(one.kind, Evidence(one.kind, one.weight, f"{one.why} (in {encoding})", *place))
        yield from found.values()


def _attacks(passage: Passage, found: list[Evidence]) -> Iterator[list[Evidence]]:
    """The windows of evidence that weigh enough together: within one line, or a little more over several."""
    everywhere = [evidence for evidence in found if evidence.start < 0]
    placed = [evidence for evidence in found if evidence.start >= 0]
    end = 0
    for index, first in enumerate(placed):
        while end < len(placed) and placed[end].start < first.start + WINDOW:
            end += 1
        window, line = placed[index:end], passage.line_at(first.start)
        here = [evidence for evidence in window if passage.line_at(evidence.start) == line]
        for part, threshold in ((here, THRESHOLD), (window, THRESHOLD + APART)):
            weights = _weights([*part, *everywhere])
            if sum(weights.values()) * _belief(passage, part, weights) >= threshold:
                yield [*part, *(replace(evidence, start=first.start, end=first.end) for evidence in everywhere)]


def _weights(evidence: Iterable[Evidence]) -> dict[str, float]:
    weights: dict[str, float] = {}
    for one in evidence:
        weights[one.kind] = max(weights.get(one.kind, 0), one.weight)
    return weights


def _belief(passage: Passage, window: list[Evidence], kinds: Mapping[str, float]) -> float:
    """Less than half for wording that a text only reports in quotation marks and that leads nowhere."""
    start = max(0, window[0].start - WINDOW)
    text = passage.text[start : max(one.end for one in window) + WINDOW]
    if DECISIVE & set(kinds) or not _REPORTS.search(text):
        return 1.0
    quoted = [match.span(1) for match in _QUOTED.finditer(text)]
    spans = [(one.start - start, one.end - start) for one in window if one.weight >= 1]
    return 0.4 if all(any(a <= first and last <= b for a, b in quoted) for first, last in spans) else 1.0
