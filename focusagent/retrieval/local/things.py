"""Which lines are controls that can be acted on, and which of them are one thing: things are counted, not lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from focusagent.axtree import AxLine
from focusagent.retrieval.local.kinds import ACTIVE, has_words

_URL = re.compile(r"\burl='([^']*)'")
SPARSE = 0.3
"""Where fewer of the containers carry a bid, bids mark what can be acted on, and nothing else."""


@dataclass(frozen=True)
class Things:
    """Per line, by index: `actable` says that it is a control which the agent can act on; `namesakes` how many
    different things of that kind carry its name (0 for what is no such thing); `copy` that an earlier line is the same
    thing (same role, name and address)."""

    actable: list[bool]
    namesakes: list[int]
    copy: list[bool]


def things(lines: Sequence[AxLine], kinds: Sequence[str]) -> Things:
    actable = _actable(lines, kinds)
    seen: dict[tuple[str, str, str], int] = {}
    by_name: dict[str, set[int]] = {}
    copy = [False] * len(lines)
    for index, line in enumerate(lines):
        if not actable[index] or not has_words(line):
            continue
        thing = index
        address = address_of(line)
        if address and "…" not in address:  # a shortened address may be another
            thing = seen.setdefault((line.role, line.name.strip(), address), index)
            copy[index] = thing != index
        by_name.setdefault(line.name.strip(), set()).add(thing)
    namesakes = [
        len(by_name[line.name.strip()]) if actable[index] and has_words(line) else 0 for index, line in enumerate(lines)
    ]
    return Things(actable, namesakes, copy)


def address_of(line: AxLine) -> str:
    """Where a link leads; "" where its line does not say."""
    found = _URL.search(line.reading, len(line.name)) if "url=" in line.reading else None
    return found[1] if found else ""


def _actable(lines: Sequence[AxLine], kinds: Sequence[str]) -> list[bool]:
    """Controls with a bid, and other lines of which the page says that they can be clicked. A page that has no bids has
    them elsewhere: there every control counts. A dialect that never says `clickable` leaves it unknown."""
    if not any(line.bid for line in lines):
        return [kind in ACTIVE for kind in kinds]
    containers = [bool(line.bid) for line, kind in zip(lines, kinds, strict=True) if kind in CONTAINERS]
    sparse = sum(containers) < SPARSE * len(containers)
    return [
        bool(line.bid)
        and (kind in ACTIVE or (sparse and line.role != "StaticText") or ", clickable" in line.reading[-160:])
        for line, kind in zip(lines, kinds, strict=True)
    ]


CONTAINERS = frozenset({"container", "cell", "heading", "decoration"})
