"""What is read on each line: its own words, those that stand in for a missing name, and those of its inline run."""

from __future__ import annotations

from focusagent.axtree import AxLine
from focusagent.retrieval.local.kinds import line_text
from focusagent.retrieval.local.page import PageView
from focusagent.retrieval.local.things import address_of
from focusagent.retrieval.local.words import words

MAX_LENT, MAX_INLINE = 120, 60


def texts_of(page: PageView) -> list[str]:
    """One text a line. A control without a name is lent the words inside it; neighbouring text nodes of one parent, too
    short to be sentences, are read as one, since a price may be written in three."""
    texts = [line_text(line) for line in page.lines]
    lent = list(texts)
    for index, owner in enumerate(page.owner):
        if owner >= 0 and not page.named[owner] and page.named[index] and len(lent[owner]) < MAX_LENT:
            lent[owner] = f"{lent[owner]} {texts[index]}".strip()
    start = 0
    while start < len(texts):
        end = start + 1
        while end < len(texts) and _same_run(page, start, end):
            end += 1
        if end - start > 1:
            whole = "".join(texts[start:end]) if len("".join(texts[start:end])) <= MAX_INLINE else ""
            if any(char.isdigit() for char in whole):
                lent[start:end] = [whole] * (end - start)
        start = end
    return lent


def _same_run(page: PageView, first: int, index: int) -> bool:
    lines = page.lines
    return lines[first].role == lines[index].role == "StaticText" and page.parent[first] == page.parent[index]


def address_words(line: AxLine) -> tuple[str, ...]:
    """The words of the path that a link leads to."""
    path = address_of(line).partition("?")[0].partition("://")[2] or address_of(line).partition("?")[0]
    return words(path.replace("_", " ").partition("/")[2])
