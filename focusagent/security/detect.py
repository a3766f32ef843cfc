"""Find lines that carry instructions for the agent, without a model. Rules flag and say why; policy decides.

A passage is flagged where enough *different* kinds of evidence stand close together: that is what tells an attack from
a manual or a sign-up page, which use the same words one at a time. Quotation marks are no excuse where the text
brings its own address or action: an attacker can quote too. Linear in the length of the page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from focusagent.axtree import AxTree, LineRanges
from focusagent.security.goals import RIVAL, Goal
from focusagent.security.labels import Labels
from focusagent.security.normalise import decoded, invisible_in_words, plain
from focusagent.security.origins import Origin, addresses, mentions, origin_of, page_origins
from focusagent.security.passages import Passage, passages
from focusagent.security.rules import Evidence, find
from focusagent.security.spread import spread
from focusagent.security.streams import streams
from focusagent.security.windows import THRESHOLD, attacked, carries, kind_of, places_of

ENCODED, MAX_INVISIBLE = 1.5, 2.5
SIGNPOSTS, SIGNPOST_RIVAL = frozenset(("heading", "link")), 1.0
WHOLE = (-1, 0)  # the place of evidence that holds wherever in its passage one looks


@dataclass(frozen=True)
class Detection:
    """`flagged`: lines whose text should not reach the agent; `reasons`: for each what was found, in words; `attacks`:
    for each the part that the evidence spans, in plain text, "" where it only belongs to another line."""

    flagged: LineRanges = LineRanges()
    reasons: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    attacks: Mapping[int, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.flagged)


def detect(
    tree: AxTree, goal: str = "", origins: Iterable[str] = (), refused: Collection[str] = frozenset()
) -> Detection:
    """Judge every line of a page as received. `origins` are further URLs whose origin is the task's own; `refused` are
    origins (`host:port`) where the agent was about to go and may not: what names one is an attack in any language.

    Text that the goal itself holds is never evidence: the user said it."""
    known, wish, labels = page_origins(tree, goal, origins), Goal(goal), Labels(tree)
    reasons: dict[int, dict[str, None]] = defaultdict(dict)
    attacks: dict[int, list[str]] = defaultdict(list)
    hints: dict[int, set[str]] = defaultdict(set)
    for passage in (*passages(tree), *streams(tree)):
        found = sorted(_evidence(passage, wish, known, labels, refused), key=lambda evidence: evidence.start)
        for evidence in found:
            hints[passage.line_at(evidence.start)].add(kind_of(evidence))
        for stretch in attacked(passage, found):
            if wish.says(passage.text[stretch.start : stretch.end]):
                continue
            for number, text in stretch.carriers(passage):
                reasons[number].update(stretch.why)
                attacks[number].append(text)
    places = places_of(hints[number] for number in tuple(reasons))
    suspects = frozenset(number for number, kinds in hints.items() if carries(kinds, places))
    for number, source in spread(tree, reasons, suspects).items():
        reasons[number].setdefault(f"belongs to line {source}")
    return Detection(
        LineRanges.of_numbers(reasons),
        {number: tuple(why) for number, why in sorted(reasons.items())},
        {number: " ".join(attacks.get(number, ())) for number in reasons},
    )


def _evidence(
    passage: Passage, goal: Goal, known: frozenset[Origin], labels: Labels, refused: Collection[str]
) -> Iterator[Evidence]:
    if goal.says(passage.text):
        return
    core = [*find(passage.text, core=True)]
    core += _refused(passage, refused)
    core += () if passage.is_url else _destinations(passage.text, known)
    core += () if passage.is_url or passage.units else _rivals(passage, goal, labels.tree)
    core += () if passage.units else _hidden(passage, known)
    if not core:
        return
    yield from core
    yield from find(passage.text, core=False)
    yield from () if passage.units else _links(passage, known)
    for kind, weight, why in labels.evidence(passage.lines[0]) if len(passage.lines) == 1 else ():
        yield Evidence(kind, weight, why, *WHOLE)


def _rivals(passage: Passage, goal: Goal, tree: AxTree) -> Iterator[Evidence]:
    """What sounds like the user's goal. A heading or a link in such words may be the site's own: it says what the site
    is for, as "Find cheap flights from Rome to anywhere" does, and is no attack by itself."""
    for one in goal.evidence(passage.text):
        number = passage.line_at(one.start)
        roles = {tree.line(line).role for line in (number, tree.parent(number)) if line}
        if one.kind == RIVAL and roles & SIGNPOSTS:
            one = replace(one, weight=SIGNPOST_RIVAL)
        yield one


def _destinations(text: str, known: frozenset[Origin] = frozenset()) -> Iterator[Evidence]:
    for address in addresses(text):
        if not any(_same_site(address.origin, origin) for origin in known):
            yield Evidence("destination", 1.0, f"brings its own address ({address.origin})", address.start, address.end)


def _refused(passage: Passage, refused: Collection[str]) -> Iterator[Evidence]:
    ends = (*passage.starts[1:], len(passage.text))
    places = zip(passage.links, passage.starts, ends, strict=False)
    links = [(origin_of(url), start, end) for url, start, end in places if url]
    for one in filter(None, map(origin_of, refused)):
        named = [
            (start, end) for origin, start, end in (*addresses(passage.text), *links) if origin and origin.is_site(one)
        ]
        for start, end in (*named, *mentions(passage.text, one)):
            yield Evidence("refused", THRESHOLD, f"leads where the agent may not go ({one})", start, end)


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


def _hidden(passage: Passage, known: frozenset[Origin]) -> Iterator[Evidence]:
    """Words cut by what no reader sees, and text in another encoding, judged like the rest and placed at its line.

    An address that stands in the passage in plain as well was not hidden."""
    ends = (*passage.starts[1:], len(passage.text))
    for raw, *place in zip(passage.raws, passage.starts, ends, strict=True):
        if unseen := invisible_in_words(raw):
            weight = min(MAX_INVISIBLE, 0.5 * unseen)
            yield Evidence("invisible", weight, "words are cut by invisible characters", *place)
        found: dict[str, Evidence] = {}
        for encoding, text, usual in decoded(raw):
            hidden = plain(text)
            if hidden == passage.text:
                continue
            if not usual and not passage.is_url:
                found.setdefault("encoded", Evidence("encoded", ENCODED, f"holds text in {encoding}", *place))
            shown = known.union(address.origin for address in addresses(passage.text))
            places = () if passage.is_url else _destinations(hidden, shown)
            for one in (*find(hidden, core=True), *find(hidden, core=False), *places):
                found.setdefault(one.kind, Evidence(one.kind, one.weight, f"{one.why} (in {encoding})", *place))
        yield from found.values()
