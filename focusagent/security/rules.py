"""What gives an attack away in a passage, kind by kind. The kinds, their weights and wordings are data: `rules.json`.

A kind is counted once however often it speaks; single wordings are weak on purpose, since manuals, sign-up pages and
support desks use them all. Only their company makes an attack (`windows.THRESHOLD`)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from focusagent.security.normalise import without_accents

_BEFORE = " .!?:;])\u2013\u2014"  # what a wording may follow, and is no part of it
_LONGEST = 4_000  # characters of a passage whose evidence is remembered


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


def find(text: str, core: bool) -> tuple[Evidence, ...]:
    """Evidence of the core or the other kinds in plain text. What a page repeats from step to step is read once."""
    return _remembered(text, core) if len(text) <= _LONGEST else tuple(_search(text, core))


@lru_cache(maxsize=20_000)
def _remembered(text: str, core: bool) -> tuple[Evidence, ...]:
    return tuple(_search(text, core))


def _search(text: str, core: bool) -> Iterator[Evidence]:
    for rule in rules():
        if rule.core is core:
            for match in rule.pattern.finditer(text):
                begins = match.end() - len(match[0].lstrip(_BEFORE))
                yield Evidence(rule.kind, rule.weight, rule.why, begins, match.end())
