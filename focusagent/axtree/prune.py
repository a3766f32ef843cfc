"""Remove the lines outside the chosen ranges; each removed run leaves a placeholder that counts it.

Four formats are ours, for the ablation of FocusAgent (arXiv 2510.03204, Table 4b and appendix): they count each removed
run. Two, `bid-marked` and `bid+role-marked`, are those of its authors' code: a mark on every removed line, no count."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from focusagent.axtree.ranges import LineRanges
from focusagent.axtree.tree import AxLine, AxTree

Keep = Literal["nothing", "bid", "role", "bid+role", "bid-marked", "bid+role-marked"]
KEEPS: tuple[str, ...] = get_args(Keep)
REMOVED = "... removed ..."


@dataclass(frozen=True)
class Pruned:
    """`kept` and `removed` are line numbers of the tree given; what `dropped` hides is in neither."""

    text: str
    kept: LineRanges
    removed: LineRanges


def placeholder(count: int, depth: int = 0, note: str = "") -> str:
    lines = "line" if count == 1 else "lines"
    return "\t" * depth + f"... pruned {count} {lines}{': ' + note if note else ''} ..."


def skeleton(line: AxLine, keep: Keep) -> str:
    """What a removed line leaves in each format: "" for nothing."""
    bid = f"[{line.bid}]" if line.bid and "bid" in keep else ""
    role = line.role if "role" in keep else ""
    return " ".join(part for part in (bid, role) if part)


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
    kept = ranges.clip(n).difference(dropped)
    removed = []
    out: list[str] = []
    position = 1
    for first, last in [*kept.pairs, (n + 1, n)]:
        run = _trim(position, first - 1, dropped)
        if run:
            removed.append(run)
            out.extend(_stand_in(tree, run, keep, notes.get(run, "")))
        out.extend(texts.get(number, tree.lines[number - 1].text) for number in range(first, last + 1))
        position = last + 1
    return Pruned("\n".join(out), kept, LineRanges.of(removed))


def _trim(first: int, last: int, dropped: LineRanges) -> tuple[int, int] | None:
    """The run first..last without the dropped lines at its ends; None where nothing is left."""
    if pair := dropped.around(first):
        first = pair[1] + 1
    if pair := dropped.around(last):
        last = pair[0] - 1
    return (first, last) if first <= last else None


def _stand_in(tree: AxTree, run: tuple[int, int], keep: Keep, note: str) -> Iterator[str]:
    lines = tree.lines[run[0] - 1 : run[1]]
    if keep.endswith("-marked"):
        yield from ("\t" * line.depth + marked(line, keep) for line in lines)
        return
    yield placeholder(len(lines), min(line.depth for line in lines), note)
    if keep != "nothing":
        for line in lines:
            if left := skeleton(line, keep):
                yield "\t" * line.depth + left
