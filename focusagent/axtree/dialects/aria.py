"""Playwright's `aria_snapshot()`: YAML whose every item is an element, its text or one of its properties.

    - link "Name" [ref=e12] [cursor=pointer]:
      - /url: /home
      - text: more

Names are JSON strings in a key, texts YAML scalars, so no text of a page can leave its line."""

from __future__ import annotations

import json
from collections.abc import Sequence

from focusagent.axtree.dialects.aria_items import Item, read_item, written_states
from focusagent.axtree.dialects.base import Dialect, Properties, Reading, attached, element, words
from focusagent.axtree.line import AxLine, ForeignLine
from focusagent.axtree.ranges import LineRanges

_ROLES = {"text": "StaticText", "iframe": "Iframe"}
_WRITTEN_ROLES = {"StaticText": "text", "Iframe": "iframe"}
VALUED = frozenset("textbox searchbox combobox spinbutton slider progressbar scrollbar meter".split())
TEXT_HOLDERS = frozenset(
    "generic paragraph listitem cell gridcell columnheader rowheader heading strong emphasis code time term definition"
    " caption blockquote status alert option tab treeitem menuitem button link mark deletion insertion subscript"
    " superscript note log".split()
)


def fits(text: str) -> bool:
    item = read_item(text)
    return item is not None and bool(item.ref or item.name or item.value or item.properties or text.endswith(":"))


def read(lines: Sequence[str]) -> Reading:
    return read_block(lines, 1)


def read_block(lines: Sequence[str], first: int) -> Reading:
    """Lines of one snapshot, numbered from `first`."""
    items = [read_item(text) for text in lines]
    found: list[ForeignLine] = []
    owners: dict[int, int] = {}
    unread = []
    index = 0
    while index < len(lines):
        item, number = items[index], first + index
        if item is None or item.key == "text" or item.key[0] == "/":
            found.append(_alone(number, lines[index], item))
            if item is None and lines[index].strip() and not lines[index].lstrip().startswith("#"):
                unread.append(number)
            index += 1
            continue
        own = _own(items, index)
        name, properties = _said(item, [each for each in items[index + 1 : own] if each])
        role = _ROLES.get(item.key, "StaticText" if item.key == "generic" and name and not item.name else item.key)
        found.append(element(number, lines[index], item.depth, item.ref, role, name, properties))
        for part in range(index + 1, own):
            each = items[part]
            assert each is not None  # `_own` stops at what is no item
            found.append(attached(first + part, lines[part], each.depth, each.key))
            owners[first + part] = number
        index = own
    return Reading(tuple(found), owners, unread=LineRanges.of_numbers(unread), root=first)


def one(number: int, text: str) -> AxLine:
    """The element's text holds what belongs to it."""
    line = read_block(text.split("\n"), number).lines[0]
    return ForeignLine(number, line.depth, line.bid, line.role, line.name, text, line.reading)


def _alone(number: int, text: str, item: Item | None) -> ForeignLine:
    """A line that is no element: text between elements, a property without one, or what cannot be read."""
    if item is None:
        return words(number, text, (len(text) - len(text.lstrip(" "))) // 2)
    if item.key == "text":
        return element(number, text, item.depth, "", "StaticText", item.value)
    return element(number, text, item.depth, "", "StaticText", item.value and f"{item.key}: {item.value}")


def _own(items: Sequence[Item | None], index: int) -> int:
    """Where what belongs to the element ends: its properties, and, where it has no name, the text that opens it."""
    item = items[index]
    assert item is not None
    end = index + 1
    while end < len(items) and (each := items[end]) and each.depth == item.depth + 1 and each.key[0] == "/":
        end += 1
    if (not item.name and item.key in TEXT_HOLDERS) or item.key in VALUED:
        while end < len(items) and (each := items[end]) and each.depth == item.depth + 1 and each.key == "text":
            end += 1
    return end


def _said(item: Item, parts: Sequence[Item]) -> tuple[str, dict[str, str]]:
    """The element's name and properties with what belongs to it: text is a field's value, a nameless element's name,
    else a property of its own."""
    properties = dict(item.properties)
    for part in parts:
        if part.key == "/url":
            properties["url"] = part.value
        elif part.key[0] == "/":
            properties[part.key[1:]] = part.value
    text = " ".join(part for part in (item.value, *(each.value for each in parts if each.key == "text")) if part)
    if not text:
        return item.name, properties
    if item.key in VALUED:
        properties["value"] = text
    elif item.name:
        properties["text"] = text
    else:
        return text, properties
    return item.name, properties


def write(line: AxLine, bid: str, role: str, label: str, properties: Properties) -> str:
    indent = "  " * line.depth
    role = _WRITTEN_ROLES.get(role, role) or "element"
    if role == "text" and not bid:
        return f"{indent}- text: {label or 'element'}"
    states = written_states(properties)
    parts = (role, f'"{label}"' if label else "", *states, f"[ref={bid}]" if bid else "")
    colon = ":" if line.text.endswith(":") else ""
    return f"{indent}- {' '.join(part for part in parts if part)}{colon}"


def gap(depth: int, words: str) -> str:
    return "  " * depth + "# " + " ".join(words.split("\n"))


def edit(text: str, changes: Properties) -> str:
    """Addresses only, which stand on a line of their own."""
    if "url" not in changes:
        return text
    first, *parts = text.split("\n")
    out = [first]
    for part in parts:
        item = read_item(part)
        if item is None or item.key != "/url":
            out.append(part)
        elif changes["url"]:
            out.append(f"{'  ' * item.depth}- /url: {json.dumps(changes['url'], ensure_ascii=False)}")
    return "\n".join(out)


def nest(text: str, depth: int) -> str:
    """The element and what belongs to it, moved together."""
    lines = text.split("\n")
    shift = 2 * depth - (len(lines[0]) - len(lines[0].lstrip(" ")))
    return "\n".join(" " * shift + line if shift > 0 else line[-shift:] for line in lines)


ARIA = Dialect("aria", fits, read, one, write, gap, edit, nest)
