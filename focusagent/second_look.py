"""A second look: placeholders name what they hide, and the backbone may have lines of it back within the same step.

Off in the paper's configurations. Pure: the agent wires it, the focuser shows the lines."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from focusagent.axtree import AxTree, LineRanges

MAX_LINES = 200
_GROUP_LINES = 40
_MAX_HITS = 20
_NAME_CHARACTERS = 40
_ROLES_TOLD = 3
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Look:
    """What the backbone asked to see: the lines `first` to `last`, or those with `text` (then `first` is 0)."""

    first: int = 0
    last: int = 0
    text: str = ""

    def __str__(self) -> str:
        return f"the text {self.text!r}" if self.text else f"lines {self.first} to {self.last}"


def read_look(action: str | None) -> Look | None:
    """The look that an action asks for: `show_lines(a, b)` or `find_on_page(text)` alone; None for any other action."""
    try:
        call = ast.parse((action or "").strip(), mode="eval").body
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.keywords:
            return None
        arguments = [ast.literal_eval(argument) for argument in call.args]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    match call.func.id, arguments:
        case "show_lines", [int(first), int(last)]:
            return Look(min(first, last), max(first, last))
        case "find_on_page", [str(text)] if _WORD.search(text):
            return Look(text=text)
    return None


def restored(tree: AxTree, hidden: LineRanges, look: Look) -> LineRanges:
    """The hidden lines that the look brings back, at most MAX_LINES: those of the range, or those around each line
    with all words of the text (its row, item or other small group, and what encloses it)."""
    wanted = _around_hits(tree, hidden, look.text) if look.text else LineRanges.of([(look.first, look.last)])
    return _first_lines(wanted.intersection(hidden), MAX_LINES)


def _around_hits(tree: AxTree, hidden: LineRanges, text: str) -> LineRanges:
    words = set(_WORD.findall(text.casefold()))
    hits = [n for n in hidden if words <= set(_WORD.findall(tree.line(n).text.casefold()))][:_MAX_HITS]
    groups = [_group(tree, number) for number in hits]
    enclosing = {ancestor for number in hits for ancestor in tree.ancestors(number)}
    return LineRanges.of(groups).union(LineRanges.of_numbers(enclosing))


def _group(tree: AxTree, number: int) -> tuple[int, int]:
    """The largest subtree around the line that is still small."""
    first, last = tree.subtree(number)
    while (parent := tree.parent(first)) and tree.subtree(parent)[1] - parent < _GROUP_LINES:
        first, last = tree.subtree(parent)
    return first, min(last, first + _GROUP_LINES - 1)


def _first_lines(ranges: LineRanges, count: int) -> LineRanges:
    kept: list[tuple[int, int]] = []
    for first, last in ranges.pairs:
        if count <= 0:
            break
        last = min(last, first + count - 1)
        kept.append((first, last))
        count -= last - first + 1
    return LineRanges.of(kept)


def notes_on(tree: AxTree, removed: LineRanges, with_names: bool) -> Mapping[tuple[int, int], str]:
    """For each removed run the numbers and roles of its lines, and with `with_names` what it is part of, or else the
    name that stands highest in it. Names are the page's words: defence agents do without."""
    return {(first, last): _note(tree, first, last, with_names) for first, last in removed.pairs}


def _note(tree: AxTree, first: int, last: int, with_names: bool) -> str:
    roles = Counter(line.role for line in tree.lines[first - 1 : last] if line.role.isidentifier())
    told = [f"{count} {role}" for role, count in roles.most_common(_ROLES_TOLD)]
    return ", ".join([f"{first} to {last}", *([_title(tree, first, last)] if with_names else []), *told])


def _title(tree: AxTree, first: int, last: int) -> str:
    """`table 'Assets'` for a run that begins with it, `in table 'Assets'` for one inside it."""
    around = (tree.line(number) for number in tree.ancestors(first) if tree.subtree(number)[1] >= last)
    if part_of := next((line for line in around if line.depth and line.name.strip()), None):
        return f"in {part_of.role} {_short(part_of.name)}"
    named = (line for line in tree.lines[first - 1 : last] if line.name.strip() and line.role.isidentifier())
    head = min(named, key=lambda line: line.depth, default=None)
    return f"{head.role} {_short(head.name)}" if head else "nothing named"


def _short(name: str) -> str:
    flat = " ".join(name.split()).replace("...", "…")
    return repr(flat if len(flat) <= _NAME_CHARACTERS else f"{flat[:_NAME_CHARACTERS]}…")
