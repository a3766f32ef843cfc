"""Take the text out of attacked lines and leave the elements in place.

Dropping an attacked close button leaves its pop-up on the page for good. Here each line keeps its bid, its role and its
state, and its label only where all of it is on a short vetted list (`vetted.json`), so nothing a page writes gets
through and no element is called by another name. Text that was copied to other lines goes there too."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass

from focusagent.axtree.line import AxLine
from focusagent.axtree.properties import properties
from focusagent.axtree.ranges import LineRanges
from focusagent.axtree.tree import AxTree
from focusagent.security.dialogs import BID, dialog_note, vetted, whole_label

LONG_RUN, SHORT_RUN = 8, 5
CONTROLS = frozenset(("button", "link"))
_WORD = re.compile(r"\w+|[×✕✖]")


@dataclass(frozen=True)
class Sanitised:
    """`texts`: line number -> the line without its text; `lines`: their numbers, copies included; `note`: a line of our
    own words about a dialog that covers the page, "" where none does."""

    texts: dict[int, str]
    lines: LineRanges
    note: str = ""


def skeleton_of(tree: AxTree, line: AxLine) -> str:
    """Bid and role only, for a line that nobody vetted. A role that is none reads `element`."""
    return _in_our_words(tree, line, "", {})


def _in_our_words(tree: AxTree, line: AxLine, label: str, properties: Mapping[str, str]) -> str:
    role = line.role if line.role in vetted()["roles"] else "element"
    bid = line.bid if BID.fullmatch(line.bid) else ""
    return tree.form.write(line, bid, role, label, properties)


def sanitise(
    tree: AxTree,
    flagged: LineRanges,
    goal: str = "",
    attacks: Mapping[int, str] | None = None,
    in_forms: Container[str] = frozenset(),
) -> Sanitised:
    """Replace the text of `flagged` lines and of their copies. Words of the goal are the user's and never copies.

    `attacks` narrows down what of a flagged line is the attack (line number -> text, "" for a line that only belongs to
    one), so that honest text beside it is not hunted for. `in_forms` are the bids of what stands in an HTML form."""
    lines = flagged.clip(len(tree))
    lines = tree.whole(lines.union(copies(tree, lines, goal, attacks)))
    totals, seen = Counter(tree.line(number).role for number in lines), Counter[str]()
    texts = {}
    for number in lines.difference(LineRanges.of_numbers(tree.owners)):
        line = tree.line(number)
        seen[line.role] += 1
        texts[number] = _labelled(tree, line, f"{seen[line.role]} of {totals[line.role]}")
    return Sanitised(texts, lines, dialog_note(tree, lines, in_forms))


def copies(tree: AxTree, flagged: LineRanges, goal: str = "", attacks: Mapping[int, str] | None = None) -> LineRanges:
    """Lines that repeat a long run of an attacked line's words, in their name or a property, or say nothing else."""
    long_runs, short_runs = set[tuple[str, ...]](), set[tuple[str, ...]]()
    for number in flagged:
        line = tree.line(number)
        known = attacks.get(number) if attacks else None
        for words in _texts(line, skip="url") if known is None else [words_of(known)]:
            long_runs.update(runs(words, LONG_RUN))
            short_runs.update(runs(words, SHORT_RUN))
    short_runs.difference_update(runs(words_of(goal), SHORT_RUN))
    if not short_runs:
        return LineRanges()
    return LineRanges.of_numbers(
        line.number
        for line in tree.lines
        if line.number not in flagged and any(_is_copy(words, long_runs, short_runs) for words in _texts(line))
    )


def _labelled(tree: AxTree, line: AxLine, position: str) -> str:
    word = whole_label(tree, line.number, "dismissals", "words") if line.role in CONTROLS else ""
    label = f"{word} ({position})" if word else f"({position}, text withheld)"
    return _in_our_words(tree, line, label, dict(_safe_properties(line)))


def _safe_properties(line: AxLine) -> Iterator[tuple[str, str]]:
    known = vetted()
    for name, value in properties(line).items():
        if name in known["properties"] and value in known["values"]:
            yield name, value


def _texts(line: AxLine, skip: str = "") -> Iterator[list[str]]:
    """The words of the line's name and of each of its properties (but one); of all of it where the name is not
    quoted."""
    bare = not line.name and "'" not in line.reading and '"' not in line.reading
    values = (value for name, value in properties(line).items() if name != skip)
    for text in (line.reading if bare else line.name, *values):
        words = words_of(text)
        if len(words) >= SHORT_RUN:
            yield words


def words_of(text: str) -> list[str]:
    """Words without case and punctuation."""
    return _WORD.findall(text.casefold())


def runs(words: list[str], length: int = SHORT_RUN) -> Iterable[tuple[str, ...]]:
    """Every `length` words in a row."""
    return (tuple(words[start : start + length]) for start in range(len(words) - length + 1))


def _is_copy(words: list[str], long_runs: set[tuple[str, ...]], short_runs: set[tuple[str, ...]]) -> bool:
    if len(words) < LONG_RUN:
        return all(run in short_runs for run in runs(words, SHORT_RUN))
    return any(run in long_runs and run[:SHORT_RUN] in short_runs for run in runs(words, LONG_RUN))
