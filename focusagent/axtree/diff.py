"""What changed between two trees, and the new tree again from the old one and the change.

Lines are aligned by what they are (bid and role, or content where there is no bid), never by their number: anchors
that increase in both trees are found by patience sorting, level by level in the gaps that the former level left, so
the work is linear up to the logarithm of the longest increasing run."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from focusagent.axtree.line import AxLine
from focusagent.axtree.ranges import LineRanges
from focusagent.axtree.tree import AxTree

Pair = tuple[int, int]
Key = Callable[[AxLine], Hashable]


@dataclass(frozen=True)
class Change:
    """One line in its old and its new text."""

    old: AxLine
    new: AxLine


@dataclass(frozen=True)
class Copy:
    """`length` lines that are the same in both trees; `old` and `new` number the first of them."""

    old: int
    new: int
    length: int


@dataclass(frozen=True)
class Diff:
    """`added` are lines of the new tree, `removed` of the old one, each with its number there. A line that moved is
    in both. `copies` and the rest together hold the whole new tree."""

    added: tuple[AxLine, ...]
    removed: tuple[AxLine, ...]
    changed: tuple[Change, ...]
    copies: tuple[Copy, ...]

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed)

    @property
    def touched(self) -> LineRanges:
        """Numbers, in the new tree, of the lines that are new or read otherwise than before."""
        numbers = [line.number for line in self.added] + [change.new.number for change in self.changed]
        return LineRanges.of_numbers(numbers)

    def carried(self, old: LineRanges) -> LineRanges:
        """Where lines of the old tree stand in the new one; those that were removed are left out."""
        moved = [change.new.number for change in self.changed if change.old.number in old]
        for copy in self.copies:
            moved += [copy.new + k for k in range(copy.length) if copy.old + k in old]
        return LineRanges.of_numbers(moved)


def diff(old: AxTree, new: AxTree) -> Diff:
    """The change from `old` to `new`; any two trees have one, and `apply` undoes it exactly."""
    pairs = _align(old.lines, new.lines)
    matched_old, matched_new = {i for i, _ in pairs}, {j for _, j in pairs}
    return Diff(
        added=tuple(line for j, line in enumerate(new.lines) if j not in matched_new),
        removed=tuple(line for i, line in enumerate(old.lines) if i not in matched_old),
        changed=tuple(Change(old.lines[i], new.lines[j]) for i, j in pairs if old.lines[i].text != new.lines[j].text),
        copies=tuple(_copies((i, j) for i, j in pairs if old.lines[i].text == new.lines[j].text)),
    )


def apply(old: AxTree, change: Diff) -> AxTree:
    """The new tree. Raises IndexError where `old` is not the tree that the diff starts from and is too short."""
    lines = {line.number: line for line in change.added} | {pair.new.number: pair.new for pair in change.changed}
    for copy in change.copies:
        for offset in range(copy.length):
            lines[copy.new + offset] = old.line(copy.old + offset).numbered(copy.new + offset)
    return AxTree((lines[number] for number in sorted(lines)), form=old.form)


def describe(change: Diff, limit: int = 20, width: int = 160) -> str:
    """One line a change in page order, `+` new, `-` gone, `~` changed; at most `limit` lines of `width` characters."""
    entries = [(line.number, 0, f"- {_shown(line, width)}") for line in change.removed]
    entries += [(line.number, 2, f"+ {_shown(line, width)}") for line in change.added]
    for pair in change.changed:
        before, after = _shown(pair.old, width // 2), _shown(pair.new, width // 2)
        if before != after:
            entries.append((pair.new.number, 1, f"~ {before} -> {after}"))
    entries.sort()
    shown = [text for _, _, text in entries[:limit]]
    if len(entries) > limit:
        shown.append(f"({len(entries) - limit} more changed lines)")
    return "\n".join(shown)


def _shown(line: AxLine, width: int) -> str:
    text = line.text.strip()
    return text if len(text) <= width else text[: width - 1] + "…"


def _identity(line: AxLine) -> Hashable:
    return (line.bid, line.role) if line.bid else line.text.lstrip()


def _content(line: AxLine) -> Hashable:
    """For pages that are drawn anew: the same element under another bid."""
    return (line.role, line.name, line.reading.lstrip().removeprefix(f"[{line.bid}]"))


def _place(line: AxLine) -> Hashable:
    """For text that was replaced in place; elements with different bids are never the same here."""
    return (line.role, line.depth) if not line.bid else (line.bid, "bid")


def _align(old: Sequence[AxLine], new: Sequence[AxLine]) -> list[Pair]:
    """Matched indices, increasing in both."""
    shortest = min(len(old), len(new))
    head = next((k for k in range(shortest) if old[k].text != new[k].text), shortest)
    tail = next((k for k in range(shortest - head) if old[-1 - k].text != new[-1 - k].text), shortest - head)
    pairs = [(k, k) for k in range(head)]
    pairs += [(len(old) - k, len(new) - k) for k in range(tail, 0, -1)]
    for key, once in ((_identity, True), (_identity, False), (_content, False), (_place, False)):
        for (a0, b0), (a1, b1) in list(_gaps(pairs, len(old), len(new))):
            pairs += [(a0 + i, b0 + j) for i, j in _anchors(old[a0:a1], new[b0:b1], key, once)]
        pairs.sort()
    return pairs


def _gaps(pairs: Iterable[Pair], n_old: int, n_new: int) -> Iterator[tuple[Pair, Pair]]:
    """Where both trees have lines between two matches: (starts, ends), ends excluded."""
    start = (0, 0)
    for i, j in [*pairs, (n_old, n_new)]:
        if start[0] < i and start[1] < j:
            yield start, (i, j)
        start = (i + 1, j + 1)


def _anchors(old: Sequence[AxLine], new: Sequence[AxLine], key: Key, once: bool) -> list[Pair]:
    """Matches by key that increase in both: keys that occur `once` on each side, or the n-th with the n-th."""
    old_at, new_at = _positions(old, key, once), _positions(new, key, once)
    return _increasing([(i, new_at[found]) for found, i in old_at.items() if found in new_at])


def _positions(lines: Sequence[AxLine], key: Key, once: bool) -> dict[Hashable, int]:
    keys = [key(line) for line in lines]
    if once:
        counts = Counter(keys)
        return {found: index for index, found in enumerate(keys) if counts[found] == 1}
    seen = Counter[Hashable]()
    numbered: dict[Hashable, int] = {}
    for index, found in enumerate(keys):
        seen[found] += 1
        numbered[found, seen[found]] = index
    return numbered


def _increasing(pairs: list[Pair]) -> list[Pair]:
    """The longest run of `pairs`, sorted by their first, whose second increases too (patience sorting)."""
    tops: list[int] = []
    piles: list[int] = []
    before = [-1] * len(pairs)
    for index, (_, j) in enumerate(pairs):
        pile = bisect_left(tops, j)
        before[index] = piles[pile - 1] if pile else -1
        tops[pile : pile + 1] = [j]
        piles[pile : pile + 1] = [index]
    chain, index = [], piles[-1] if piles else -1
    while index >= 0:
        chain.append(pairs[index])
        index = before[index]
    return chain[::-1]


def _copies(pairs: Iterable[Pair]) -> Iterator[Copy]:
    run: Copy | None = None
    for i, j in pairs:
        if run and (i, j) == (run.old - 1 + run.length, run.new - 1 + run.length):
            run = Copy(run.old, run.new, run.length + 1)
            continue
        if run:
            yield run
        run = Copy(i + 1, j + 1, 1)
    if run:
        yield run
