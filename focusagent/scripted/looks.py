"""When the scripted backbone looks again: where the prompt offers it and what the goal names is not shown."""

from __future__ import annotations

import re
from collections.abc import Iterator

from focusagent.scripted.policies import Plan
from focusagent.scripted.prompt import ReadPrompt

FIND = "find_on_page"
_QUOTED = re.compile(r"\"([^\"]{3,200})\"|(?<!\w)'([^']{3,200})'(?!\w)")
_NAMED = re.compile(
    r"\d{1,2} [A-Z][a-z]+ \d{4}|[A-Z][a-z]+ \d{1,2}, \d{4}|\d{4}-\d\d-\d\d|(?<=[a-z] )[A-Z]\w+ [A-Z]\w+|[A-Za-z]+_\w+"
)
_WORD = re.compile(r"\w+")


def second_look(prompt: ReadPrompt) -> Plan | None:
    """A search for the first words that the goal quotes (or the first date or name in it) and no shown line holds, each
    once a step: the prompt's error section tells what was looked for. None where nothing is missed or no search is
    offered."""
    if FIND not in prompt.offers:
        return None
    for phrase in _phrases(prompt.goal):
        words = set(_WORD.findall(phrase.casefold()))
        shown = any(words <= set(_WORD.findall(line.text.casefold())) for line in prompt.lines)
        if not shown and repr(phrase) not in prompt.error:
            return Plan([f"{FIND}({phrase!r})"], note="What the goal names is not shown; I look for it.")
    return None


def _phrases(goal: str) -> Iterator[str]:
    for match in _QUOTED.finditer(goal):
        phrase = match[1] or match[2]
        if _WORD.search(phrase):
            yield phrase
    for match in _NAMED.finditer(_QUOTED.sub(" ", goal)):
        yield match[0]
