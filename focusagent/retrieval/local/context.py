"""Lines that belong together, and lines that stay whatever the goal says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from focusagent.retrieval.base import Query
from focusagent.retrieval.local.page import DIALOGS, FRAMES, ITEMS, PageView
from focusagent.retrieval.local.table import table_contexts
from focusagent.retrieval.local.words import asks, words

FEW, MAX_ITEM = 3, 25
NEWS = frozenset({"alert", "status", "alertdialog"})
NEIGHBOURS = 2
MAX_MUSTS = 80


def bundles(page: PageView, query: Query, marks: Mapping[int, int]) -> Callable[[int], Sequence[int]]:
    """For a line's index, the indexes of all lines to keep with it: its nearest named ancestor; its label, where its
    name does not tell it from every other line of the page as received; the control whose words it shows; the head of
    the list item it stands in, where its name is shared what tells its row from the others, and what `marks` that item
    (head -> line) as the one that the goal means; the clickable label of a checkbox; of a list of options the chosen
    one and those that the goal names."""
    goal_words = frozenset(words(query.goal))
    uses = Counter(line.name for line in query.tree.received.lines)
    tables = table_contexts(page) if asks(query.goal) else {}

    def bundle(index: int) -> list[int]:
        found = [index, page.ancestor[index]]
        line = page.lines[index]
        if not line.name.strip() or uses[line.name] != 1:
            found.append(page.label[index])
        found.append(page.article[index])
        found.append(page.owner[index])
        head = page.group[index]
        if page.things.namesakes[index] != 1 and page.things.actable[index]:
            found.append(page.tellers.get(page.row[index], -1))
            if head in page.heads:
                found.append(head)
        if page.lines[head].role in ITEMS or head in marks:
            found.append(head)
        found.append(marks.get(head, -1))
        found.extend(tables.get(index, ()))
        role = page.kinds[index]
        if role == "choice":
            found.append(_clickable_label(page, index))
        elif role == "combobox":
            found.extend(_options(page, index, goal_words))
        return [line for line in dict.fromkeys(found) if line >= 0]

    return bundle


def row_needs(page: PageView) -> dict[int, int]:
    """Index of each control in a row whose name other things have too, or that has none -> index of what tells its row
    from the others."""
    return {
        index: page.tellers[row]
        for index, row in enumerate(page.row)
        if page.things.actable[index] and page.things.namesakes[index] != 1 and page.tellers.get(row, index) != index
    }


def _clickable_label(page: PageView, index: int) -> int:
    """The nameless label that follows a checkbox or radio button: sites style the box itself out of reach."""
    after = index + 1
    if after < len(page.lines) and page.parent[after] == page.parent[index] and page.kinds[after] == "label":
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
        if "selected=True" in line.reading or (own and goal_words.issuperset(own)):
            found.append(option)
    return found


def musts(query: Query, page: PageView) -> list[int]:
    """Indexes of the root, the page's first heading, the focused elements, what the last action touched with its
    neighbours, what was announced, the nodes of dialogs, and, where the goal asks, the page's first item; at most
    MAX_MUSTS."""
    bids = {word for word in words(f"{query.last_action} {query.focused_bid}") if word}
    found = [0, _first_heading(page), *(_first_item(page) if asks(query.goal) else ())]
    for index, line in enumerate(page.lines):
        if line.bid and line.bid.casefold() in bids:
            found.extend(range(max(index - NEIGHBOURS, 0), min(index + NEIGHBOURS + 1, len(page.lines))))
        elif line.role not in FRAMES and (line.reading.endswith(", focused") or ", focused," in line.reading[-200:]):
            found.append(index)
        up = page.parent[index]
        announced = page.named[index] and (line.role in NEWS or (up >= 0 and page.lines[up].role in NEWS))
        if announced or ("dialog" in page.regions[index] and (page.named[index] or line.role in DIALOGS)):
            found.append(index)
    return list(dict.fromkeys(found))[:MAX_MUSTS]


def _first_item(page: PageView) -> list[int]:
    """The named lines of the first item (of a table, of its head too) of the longest list outside navigation: what a
    question about the most, the least or the last is answered by once the list is sorted."""
    heads = [index for index, line in enumerate(page.lines) if line.role in ITEMS or line.role == "row"]
    content = [index for index in heads if "navigation" not in page.regions[index]]
    lists = Counter((page.parent[index], page.lines[index].role) for index in content)
    longest, count = max(lists.items(), key=lambda entry: (entry[1], -entry[0][0]), default=((0, ""), 0))
    if count < FEW:
        return []
    mine = [index for index in content if (page.parent[index], page.lines[index].role) == longest]
    last = mine[2 if longest[1] == "row" and count > 2 else 1]
    return [index for index in range(mine[0], last) if page.named[index]][:MAX_ITEM]


def _first_heading(page: PageView) -> int:
    """What the page says it is: its first heading, the first in `main` where there is one; else the root."""
    headings = [index for index, line in enumerate(page.lines) if line.role == "heading" and page.named[index]]
    return next((index for index in headings if "main" in page.regions[index]), headings[0] if headings else 0)
