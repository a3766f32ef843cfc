"""The features of each line that the `local` retriever weighs. Names and order are those of the fitted weights."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from focusagent.retrieval.base import Query
from focusagent.retrieval.local.kinds import ACTIVE, KINDS, TELLING
from focusagent.retrieval.local.page import PageView
from focusagent.retrieval.local.texts import address_words, texts_of
from focusagent.retrieval.local.words import Match, Matcher, asks, words

STATES = ("focused", "disabled", "required", "value", "expanded", "checked", "hasPopup")
REGIONS = ("main", "navigation", "banner", "contentinfo", "complementary", "search", "table", "dialog")
_FACT = re.compile(r"\d")

NAMES: tuple[str, ...] = (
    *(f"kind_{kind}" for kind in KINDS),
    *(f"state_{state}" for state in STATES),
    *(f"in_{region}" for region in REGIONS),
    "outside_main",
    "named",
    "actable",
    "unreachable",
    "copy",
    "link_list",
    "first_of_item",
    "owned",
    "length",
    "position",
    "repeats",
    "namesakes",
    *(f"{part}_{where}" for where in ("own", "label", "group", "ancestor") for part in Match.__dataclass_fields__),
    "address_match",
    "control_match",
    "sole_control",
    "in_repeated",
    "best_item",
    "best_quote",
    "options_match",
    "button_by_fields",
    "among_fields",
    "asked_text",
    "asked_fact",
    "asked_group",
    "asked_table",
    "asked_length",
    "fact",
    "acted",
    "near_acted",
    "companion",
)


def features(query: Query, page: PageView) -> NDArray[np.float64]:
    """A matrix of lines x NAMES."""
    n = len(page.lines)
    columns = {name: np.zeros(n) for name in NAMES}
    kinds = page.kinds
    texts = texts_of(page)
    _add_form(columns, page, kinds, texts)
    _add_matches(columns, page, kinds, Matcher(query.goal, texts), texts)
    asked = asks(query.goal)
    _add_addresses(columns, page, query.goal)
    _add_items(columns, page, kinds, asked)
    _add_fields(columns, page, kinds)
    _add_question(columns, kinds, texts, asked)
    _add_action(columns, query, page)
    return np.column_stack([columns[name] for name in NAMES])


Columns = dict[str, NDArray[np.float64]]


def _add_form(columns: Columns, page: PageView, kinds: list[str], texts: list[str]) -> None:
    n = len(page.lines)
    by_role = Counter(line.role for line in page.lines)
    by_name = Counter(line.name for line in page.lines)
    has_main = any(line.role == "main" for line in page.lines)
    for index, line in enumerate(page.lines):
        columns[f"kind_{kinds[index]}"][index] = 1
        tail = line.reading[-200:] if len(line.reading) > len(line.name) + 12 else ""
        for state in STATES:
            if state in tail:
                columns[f"state_{state}"][index] = 1
        for region in REGIONS:
            if region in page.regions[index]:
                columns[f"in_{region}"][index] = 1
        columns["outside_main"][index] = has_main and "main" not in page.regions[index]
        columns["named"][index] = page.named[index]
        columns["actable"][index] = page.things.actable[index]
        columns["unreachable"][index] = kinds[index] in ACTIVE and not page.things.actable[index]
        columns["copy"][index] = page.things.copy[index]
        columns["owned"][index] = page.owner[index] >= 0
        columns["length"][index] = math.log1p(len(texts[index])) / 5
        columns["position"][index] = index / n
        columns["repeats"][index] = math.log(by_role[line.role]) / 5
        namesakes = page.things.namesakes[index] or by_name[line.name]
        columns["namesakes"][index] = math.log(namesakes) / 5 if line.name else 0
        columns["sole_control"][index] = page.things.namesakes[index] == 1 and not page.things.copy[index]
        columns["companion"][index] = (
            not page.named[index] and kinds[index] == "label" and index > 0 and kinds[index - 1] == "choice"
        )


def _add_matches(columns: Columns, page: PageView, kinds: list[str], matcher: Matcher, texts: list[str]) -> None:
    own = [matcher.match(text) if text else None for text in texts]
    best: dict[int, dict[str, float]] = {}
    for index, match in enumerate(own):
        if match is None or kinds[index] == "option":
            continue
        group = best.setdefault(page.group[index], {})
        for part in Match.__dataclass_fields__:
            group[part] = max(group.get(part, 0.0), getattr(match, part))
    for index in range(len(texts)):
        for where, match in (
            ("own", own[index]),
            ("label", own[page.label[index]] if page.label[index] >= 0 else None),
            ("ancestor", own[page.ancestor[index]] if page.ancestor[index] >= 0 else None),
        ):
            if match is not None:
                for part in Match.__dataclass_fields__:
                    columns[f"{part}_{where}"][index] = getattr(match, part)
        for part, value in best.get(page.group[index], {}).items():
            columns[f"{part}_group"][index] = value
        if kinds[index] in ACTIVE:
            columns["control_match"][index] = columns["precision_own"][index]


def _add_items(columns: Columns, page: PageView, kinds: list[str], asked: bool) -> None:
    """Lines of repeated items (rows, results, comments), unless they may tell what is asked; the item among its like
    that matches best; the line that holds most of a quote."""
    items: dict[tuple[int, str], set[int]] = {}
    for head in page.heads:
        items.setdefault((page.parent[head], page.lines[head].role), set()).add(head)
    menus = _link_lists(page, items.values())
    match = columns["quote_group"] + columns["phrase_group"] + columns["strength_group"]
    repeated, best = set[int](), set[int]()
    for heads in items.values():
        if len(heads) >= MANY:
            repeated |= heads
            top = max(match[head] for head in heads)
            best |= {head for head in heads if 0 < top == match[head]}
    columns["in_repeated"][:] = [
        group in repeated and group not in menus and not (asked and kind in TELLING)
        for group, kind in zip(page.group, kinds, strict=True)
    ]
    quoted = columns["quote_own"] * columns["strength_own"]
    columns["best_quote"][:] = (columns["quote_own"] >= 0.5) & (quoted == np.max(quoted))
    columns["best_item"][:] = [group in best for group in page.group]
    columns["link_list"][:] = [group in menus for group in page.group]
    first: dict[int, int] = {}
    for index, group in enumerate(page.group):
        if group in repeated and page.things.actable[index] and page.named[index]:
            first.setdefault(group, index)
    columns["first_of_item"][list(first.values())] = 1


def _link_lists(page: PageView, lists: Iterable[set[int]]) -> set[int]:
    """The items of lists that hold but one short link each: menus, whatever the page calls them."""
    controls, letters = Counter[int](), Counter[int]()
    for index, group in enumerate(page.group):
        if page.things.actable[index]:
            controls[group] += 1
        elif page.owner[index] < 0 and index != group:
            letters[group] += len(page.lines[index].name)
    found = set[int]()
    for heads in lists:
        single = [head for head in heads if controls[head] <= 1 and letters[head] <= SHORT_LABEL]
        if heads and len(single) >= 0.8 * len(heads) and page.lines[next(iter(heads))].role in ("listitem", "menuitem"):
            found |= heads
    return found


SHORT_LABEL = 25


MANY = 4


def _add_fields(columns: Columns, page: PageView, kinds: list[str]) -> None:
    """Fields and the buttons by them; a list is as good as its best option."""
    fields = np.array([kind in FIELDS for kind in kinds], dtype=float)
    upto = np.concatenate([[0.0], np.cumsum(fields)])
    for index, each in enumerate(kinds):
        before = upto[index] - upto[max(index - REACH, 0)]
        after = upto[min(index + 1 + REACH, len(kinds))] - upto[index + 1]
        if each == "button":
            columns["button_by_fields"][index] = min(before, 3) / 3
        elif each in FIELDS:
            columns["among_fields"][index] = min(before + after, 6) / 6
        elif each == "option" and (parent := _list_of(page, kinds, index)) >= 0:
            match = columns["precision_own"][index]
            columns["options_match"][parent] = max(columns["options_match"][parent], match)


FIELDS = frozenset({"entry", "combobox", "choice"})
REACH = 15


def _list_of(page: PageView, kinds: list[str], index: int) -> int:
    """The combobox or list box at most three levels above an option, -1 where there is none."""
    for _ in range(3):
        index = page.parent[index]
        if index < 0 or kinds[index] == "combobox":
            return index
    return -1


def _add_addresses(columns: Columns, page: PageView, goal: str) -> None:
    """The share of the words of a link's address that the goal has."""
    wanted = frozenset(words(goal))
    for index, line in enumerate(page.lines):
        if page.kinds[index] == "link" and (own := address_words(line)):
            columns["address_match"][index] = sum(word in wanted for word in own) / len(own)


def _add_question(columns: Columns, kinds: list[str], texts: list[str], asked: bool) -> None:
    for index, text in enumerate(texts):
        if kinds[index] in TELLING:
            fact = bool(_FACT.search(text))
            columns["fact"][index] = fact
            columns["asked_text"][index] = asked
            columns["asked_fact"][index] = asked and fact
            columns["asked_group"][index] = asked * columns["strength_group"][index]
            columns["asked_table"][index] = asked * columns["in_table"][index]
            columns["asked_length"][index] = asked * columns["length"][index]


def _add_action(columns: Columns, query: Query, page: PageView) -> None:
    bids = set(words(query.last_action))
    if not bids:
        return
    acted = [index for index, line in enumerate(page.lines) if line.bid and line.bid.casefold() in bids]
    for index in acted:
        columns["acted"][index] = 1
        low, high = max(index - 8, 0), index + 9
        columns["near_acted"][low:high] = 1
