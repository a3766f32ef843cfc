"""What gives an attack away in a passage, kind by kind. The kinds, their weights and wordings are data: `rules.json`.

A kind is counted once however often it speaks; single wordings are weak on purpose, since manuals, sign-up pages and
support desks use them all. Only their company makes an attack (`windows.THRESHOLD`)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from focusagent.security.normalise import without_accents

_BEFORE = " .!?:;])\u2013\u2014"  # what a wording may follow, and is no part of it


@dataclass(frozen=True)
class Rule:
    """`core` kinds can make an attack; the others only add to them."""

    kind: str
    core: bool
    weight: float
    why: str
    pattern: re.Pattern[str]


@dataclass(frozen=True)
class Evidence:
    """One finding: characters start..end of a passage's plain text."""

    kind: str
    weight: float
    why: str
    start: int
    end: int


@cache
def rules() -> tuple[Rule, ...]:
    data = json.loads(files(__package__).joinpath("rules.json").read_text("utf-8"))
    return tuple(
        Rule(
            rule["kind"], rule["core"], rule["weight"], rule["why"], re.compile(without_accents("|".join(rule["any"])))
        )
        for rule in data
    )


def find(text: str, core: bool) -> Iterator[Evidence]:
    """Evidence of the core or the other kinds in plain text."""
    for rule in rules():
        if rule.core is core:
            for match in rule.pattern.finditer(text):
                begins = match.end() - len(match[0].lstrip(_BEFORE))
                yield Evidence(rule.kind, rule.weight, rule.why, begins, match.end())
