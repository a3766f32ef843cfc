"""Lines that belong together, and lines that stay whatever the goal says."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from focusagent.retrieval.base import Query
from focusagent.retrieval.local_features import kind
from focusagent.retrieval.local_page import DIALOGS, PageView
from focusagent.retrieval.local_words import words

NEIGHBOURS = 2
MAX_MUSTS = 80


def bundles(page: PageView, goal: str) -> Callable[[int], Sequence[int]]:
    """For a line's index, the indexes of all lines to keep with it: its nearest named ancestor and its label, without
    which it cannot be told apart; the clickable label of a checkbox; of a list of options the chosen one and those that
    the goal names."""
    goal_words = frozenset(words(goal))

    def bundle(index: int) -> list[int]:
        found = [index, page.ancestor[index], page.label[index]]
        role = kind(page.lines[index])
        if role == "choice":
            found.append(_clickable_label(page, index))
        elif role == "combobox":
            found.extend(_options(page, index, goal_words))
        return [line for line in dict.fromkeys(found) if line >= 0]

    return bundle


def _clickable_label(page: PageView, index: int) -> int:
    """The nameless label that follows a checkbox or radio button: sites style the box itself out of reach."""
    after = index + 1
    if after < len(page.lines) and page.parent[after] == page.parent[index] and kind(page.lines[after]) == "label":
        return after
    return -1


def _options(page: PageView, index: int, goal_words: frozenset[str]) -> list[int]:
    found = []
    depth = page.lines[index].depth
    for option in range(index + 1, len(page.lines)):
        line = page.lines[option]
        if line.depth <= depth:
            break
        own = words(line.name)
        if "selected=True" in line.text or (own and goal_words.issuperset(own)):
            found.append(option)
    return found


def musts(query: Query, page: PageView) -> list[int]:
    """Indexes of the root, the focused elements, what the last action touched with its neighbours, and the nodes of
    dialogs, at most MAX_MUSTS."""
    bids = {word for word in words(f"{query.last_action} {query.focused_bid}") if word}
    found = [0]
    for index, line in enumerate(page.lines):
        if line.bid and line.bid.casefold() in bids:
            found.extend(range(max(index - NEIGHBOURS, 0), min(index + NEIGHBOURS + 1, len(page.lines))))
        elif line.text.endswith(", focused") or ", focused," in line.text[-200:]:
            found.append(index)
        if "dialog" in page.regions[index] and (page.named[index] or line.role in DIALOGS):
            found.append(index)
    return list(dict.fromkeys(found))[:MAX_MUSTS]
