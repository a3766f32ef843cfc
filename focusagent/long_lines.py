"""One huge line must not cost the rest of the page: what is too long for a prompt is cut within its longest lines.

AgentLab cuts a prompt that is too long by whole lines from the bottom; a line longer than the whole limit then takes
everything else with it."""

from __future__ import annotations

import re
from dataclasses import replace

from focusagent.axtree.line import QUOTED
from focusagent.focused import Focused
from focusagent.models.tokens import count_lines, count_tokens

LEAST = 200  # tokens that a line keeps at least; a page that is too long for that has too many lines, not too long ones
RESERVE = 8_000  # tokens of a prompt that are not for the page: instructions, history, examples
_NAME = re.compile(rf"\s*(?:\[[A-Za-z0-9]+\] )?[^\s,]* ({QUOTED})", re.DOTALL)


def fitted(focused: Focused, max_prompt_tokens: int | None) -> Focused:
    """The same page with its longest lines cut to what a prompt of so many tokens has room for."""
    if max_prompt_tokens is None:
        return focused
    room = max_prompt_tokens - min(RESERVE, max_prompt_tokens // 2)
    if focused.tokens_pruned <= room:
        return focused
    text = cut_long_lines(focused.text, room)
    return replace(focused, text=text, tokens_pruned=count_tokens(text)) if text != focused.text else focused


def cut_long_lines(text: str, room: int) -> str:
    """The text with lines cut to one greatest length so that it has about `room` tokens; as it is where they fit, or
    where lines would have to be shorter than LEAST. A cut line says how many characters are missing."""
    lines = text.split("\n")
    counts = count_lines(lines)
    greatest = _greatest(counts, room)
    if greatest < LEAST or max(counts) <= greatest:
        return text
    pairs = zip(lines, counts, strict=True)
    return "\n".join(_cut(line, len(line) * greatest // n) if n > greatest else line for line, n in pairs)


def _greatest(counts: list[int], room: int) -> int:
    """The length to which lines may grow so that all of them together fit."""
    left = room
    ordered = sorted(counts)
    for done, count in enumerate(ordered):
        share = left // (len(ordered) - done)
        if count > share:
            return share
        left -= count
    return ordered[-1]


def _cut(line: str, length: int) -> str:
    """The line's first characters; a quoted name that is too long is cut inside its quotation marks, so that the line
    still reads as a node."""
    name = _NAME.match(line)
    if name and len(line) - len(name[1]) < length // 2:
        first, last = name.span(1)
        kept = line[first : first + length - (len(line) - len(name[1]))]
        kept = kept[: len(kept) - (len(kept) - len(kept.rstrip("\\"))) % 2]  # half an escape is none
        return f"{line[:first]}{kept}… (+{last - first - len(kept):,} characters){line[last - 1 :]}"
    return f"{line[:length]}… (+{len(line) - length:,} characters)"
