"""Remove the lines outside the chosen ranges; each removed run leaves a placeholder that counts it.

Four formats are ours, for the ablation of FocusAgent (arXiv 2510.03204, Table 4b and appendix): they count each removed
run. Two, `bid-marked` and `bid+role-marked`, are those of its authors' code: a mark on every removed line, no count."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from focusagent.axtree.line import AxLine
from focusagent.axtree.ranges import LineRanges
from focusagent.axtree.tree import AxTree

Keep = Literal["nothing", "bid", "role", "bid+role", "bid-marked", "bid+role-marked"]
KEEPS: tuple[str, ...] = get_args(Keep)
REMOVED = "... removed ..."


@dataclass(frozen=True)
class Pruned:
    """`kept` and `removed` are line numbers of the tree given; what `dropped` hides is in neither."""

    text: str
    kept: LineRanges
    removed: LineRanges


def placeholder(tree: AxTree, run: tuple[int, int], depth: int, note: str = "") -> str:
    """The line that stands for lines run[0]..run[1]."""
    count = run[1] - run[0] + 1
    said = f"... pruned {count} {'line' if count == 1 else 'lines'}{': ' + note if note else ''} ..."
    return tree.form.gap(depth, said)


def skeleton(tree: AxTree, line: AxLine, keep: Keep) -> str:
    """What a removed line leaves in each format: "" for nothing."""
    bid = line.bid if "bid" in keep else ""
    role = line.role if "role" in keep else ""
    return tree.form.write(line, bid, role, "", {}) if bid or role else ""


def marked(line: AxLine, keep: Keep) -> str:
    """What a removed line leaves in the authors' formats: its first word and a mark; with the role, a line that has a
    bid keeps two words, one that has none keeps its first without the mark."""
    words = line.text.split()
    if keep == "bid-marked":
        return " ".join([*words[:1], REMOVED])
    return " ".join([*words[:2], REMOVED]) if line.bid else "".join(words[:1])


def prune(
    tree: AxTree,
    ranges: LineRanges,
    keep: Keep = "nothing",
    *,
    texts: Mapping[int, str] | None = None,
    dropped: LineRanges = LineRanges(),
    notes: Mapping[tuple[int, int], str] | None = None,
) -> Pruned:
    """Keep exactly `ranges`, in order.

    `texts` replaces the text of kept lines (line number -> text). `dropped` lines vanish without a placeholder of
    their own, but are counted in a removed run that encloses them. `notes` says more about a removed run.
    Raises ValueError for an unknown `keep`."""
    if keep not in KEEPS:
        raise ValueError(f"keep must be one of {', '.join(KEEPS)}, not {keep!r}")
    texts, notes = texts or {}, notes or {}
    n = len(tree.lines)
    shown = ranges.clip(n).difference(dropped)
    if tree.fixed or tree.owners:
        shown = tree.whole(ranges.clip(n).union(tree.fixed)).difference(dropped)
    places = _Places(tree, shown)
    removed = []
    out: list[str] = []
    position = 1
    for first, last in [*shown.pairs, (n + 1, n)]:
        run = _trim(position, first - 1, dropped)
        if run:
            removed.append(run)
            out.extend(_stand_in(tree, run, keep, notes.get(run, ""), places))
        shown_texts = (texts.get(number, tree.lines[number - 1].text) for number in range(first, last + 1))
        out.extend(map(places.put, range(first, last + 1), shown_texts) if tree.form.nest else shown_texts)
        position = last + 1
    return Pruned("\n".join(out), tree.whole(shown), LineRanges.of(removed))


class _Places:
    """Where lines go in dialects whose indentation must hold together: as deep as they have ancestors that are shown.
    In the others each stays where it stood."""

    def __init__(self, tree: AxTree, shown: LineRanges) -> None:
        self._tree, self._nest = tree, tree.form.nest
        self._depths: list[int] = []
        if self._nest is None:
            return
        is_shown = bytearray(len(tree) + 1)
        for first, last in shown.pairs:
            is_shown[first : last + 1] = b"\1" * (last - first + 1)
        for number in range(1, len(tree) + 1):
            parent = tree.parent(number)
            self._depths.append(self._depths[parent - 1] + is_shown[parent] if parent else 0)

    def depth(self, number: int) -> int:
        return self._depths[number - 1] if self._nest else self._tree.line(number).depth

    def put(self, number: int, text: str) -> str:
        if self._nest is None or number in self._tree.fixed:
            return text
        return self._nest(text, self._depths[number - 1])


def _trim(first: int, last: int, dropped: LineRanges) -> tuple[int, int] | None:
    """The run first..last without the dropped lines at its ends; None where nothing is left."""
    if pair := dropped.around(first):
        first = pair[1] + 1
    if pair := dropped.around(last):
        last = pair[0] - 1
    return (first, last) if first <= last else None


def _stand_in(tree: AxTree, run: tuple[int, int], keep: Keep, note: str, places: _Places) -> Iterator[str]:
    lines = tree.lines[run[0] - 1 : run[1]]
    if keep.endswith("-marked"):
        for line in lines:
            indent = "" if tree.form.nest else "\t" * line.depth
            yield places.put(line.number, indent + marked(line, keep))
        return
    highest = min(lines, key=lambda line: line.depth)
    yield placeholder(tree, run, places.depth(highest.number), note)
    if keep != "nothing":
        for line in lines:
            if line.number not in tree.owners and (left := skeleton(tree, line, keep)):
                yield places.put(line.number, left)
