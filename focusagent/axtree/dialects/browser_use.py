"""browser-use's tree: `[33]<button aria-label=Search />`, `*[40]<div />` for what is new, texts on lines beneath.

It lists what can be acted on and the texts between, with little structure, and quotes nothing: neither attributes nor
texts. A page's text that looks like an element cannot be told from one, unless it uses an index that is there twice;
then no line has it, and a defence withholds all of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from focusagent.axtree.dialects.base import Dialect, Properties, Reading, attached, element, is_gap, words
from focusagent.axtree.line import AxLine, ForeignLine
from focusagent.axtree.ranges import LineRanges

_ATTRIBUTES = (
    "title type checked id name role value placeholder data-date-format alt aria-label aria-expanded data-state"
    " aria-checked aria-valuemin aria-valuemax aria-valuenow aria-placeholder pattern min max minlength maxlength step"
    " accept multiple inputmode autocomplete aria-autocomplete list data-mask data-inputmask data-datepicker format"
    " expected_format contenteditable pseudo selected expanded pressed disabled invalid valuemin valuemax valuenow"
    " keyshortcuts haspopup multiselectable required valuetext level busy live ax_name image_alt image_src href"
    " compound_components class"
).split()
_HEAD = re.compile(
    r"(\t*)(?:\|[A-Za-z() ]{1,30}\|){0,2}(?:\|scroll element)?(\*)?(?:\[(\d{1,10})\])?"
    r"<([a-z][a-z0-9-]{0,40})(?=[ />]|$)"
)
_ATTRIBUTE = re.compile(rf"(?:^| )({'|'.join(sorted(_ATTRIBUTES, key=len, reverse=True))})=")
_END = re.compile(r" ?/>(?: <!-- [A-Za-z ]+ -->)?(?: \([^()]{0,80}\))?$")
_ROLES = {
    "a": "link",
    "textarea": "textbox",
    "select": "combobox",
    "option": "option",
    "summary": "DisclosureTriangle",
    "img": "image",
    "svg": "image",
    "iframe": "Iframe",
    "frame": "Iframe",
    "label": "LabelText",
    "td": "cell",
    "th": "columnheader",
    "tr": "row",
    "li": "listitem",
    "ul": "list",
    "ol": "list",
    "nav": "navigation",
    "p": "paragraph",
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), "heading"),
    **dict.fromkeys(("button", "form", "table", "article", "main", "dialog"), ""),
    **dict.fromkeys(("div", "span"), "generic"),
}
_INPUTS = {
    **dict.fromkeys(("checkbox", "radio"), ""),
    **dict.fromkeys(("submit", "button", "reset", "image", "file"), "button"),
    **dict.fromkeys(("search",), "searchbox"),
    **dict.fromkeys(("number",), "spinbutton"),
    **dict.fromkeys(("range",), "slider"),
}
_NAMES = ("aria-label", "ax_name", "alt", "title", "image_alt", "placeholder")
_STATES = {"disabled": "True", "required": "", "selected": "True", "expanded": "True"}
_TAGS = {"link": "a", "generic": "div", "image": "img", "combobox": "select"}


class _Tag(NamedTuple):
    depth: int
    bid: str
    tag: str
    attributes: dict[str, str]


def fits(text: str) -> bool:
    match = _HEAD.match(text)
    return match is not None and bool(match[3] or match[0].lstrip("\t").startswith("|"))


def read(lines: Sequence[str]) -> Reading:
    ends = _tags(lines)
    uses = Counter(match[3] for start in ends if (match := _HEAD.match(lines[start])) and match[3])
    found: list[ForeignLine] = []
    owners: dict[int, int] = {}
    unread = []
    while (index := len(found)) < len(lines):
        if index not in ends:
            depth = len(lines[index]) - len(lines[index].lstrip("\t"))
            found.append(words(index + 1, lines[index], depth))
            continue
        tag = _tag(lines[index : ends[index] + 1])
        last = _last_text(lines, ends, index, tag.depth)
        texts = [text.strip() for text in lines[ends[index] + 1 : last + 1]]
        line = _element(index + 1, lines[index], tag, " ".join(texts))
        if uses[tag.bid] > 1:
            unread.append(line.number)
            line = line.changed(bid="")
        found.append(line)
        for part in range(index + 1, last + 1):
            found.append(attached(part + 1, lines[part], tag.depth + 1, "/text"))
            owners[part + 1] = index + 1
    return Reading(tuple(found), owners, unread=LineRanges.of_numbers(unread))


def _tags(lines: Sequence[str]) -> dict[int, int]:
    """Index of the line on which each tag begins -> where it ends; what stands inside a tag begins none."""
    found = {}
    index = 0
    while index < len(lines):
        if fits(lines[index]):
            found[index] = _end(lines, index)
            index = found[index]
        index += 1
    return found


def _end(lines: Sequence[str], start: int) -> int:
    """The line on which the tag ends: attributes may hold line feeds; itself where no end comes soon."""
    for index in range(start, min(start + MAX_TAG_LINES, len(lines))):
        if _END.search(lines[index]):
            return index
    return start


MAX_TAG_LINES = 40


def _last_text(lines: Sequence[str], ends: dict[int, int], index: int, depth: int) -> int:
    """The last of the texts that stand right beneath the tag and say what it is."""
    last = ends[index]
    while (after := last + 1) < len(lines) and after not in ends:
        indent = len(lines[after]) - len(lines[after].lstrip("\t"))
        if indent != depth + 1 or not lines[after].strip() or is_gap(lines[after]):
            break
        last = after
    return last


def _tag(lines: Sequence[str]) -> _Tag:
    match = _HEAD.match(lines[0])
    assert match is not None  # `fits` was asked
    inside = _END.sub("", "\n".join([lines[0][match.end() :], *lines[1:]])).strip()
    found = list(_ATTRIBUTE.finditer(inside))
    stops = [each.start() for each in found[1:]] + [len(inside)] * bool(found)
    attributes = {each[1]: inside[each.end() : stop].strip() for each, stop in zip(found, stops, strict=True)}
    return _Tag(len(match[1]), match[3] or "", match[4], attributes)


def _element(number: int, text: str, tag: _Tag, said: str) -> ForeignLine:
    attributes = tag.attributes
    name = next((attributes[key] for key in _NAMES if attributes.get(key)), "")
    properties = dict(_properties(attributes))
    if said and not name:
        name = said
    elif said and said != name:
        properties["text"] = said
    return element(number, text, tag.depth, tag.bid, _role(tag), name, properties)


def _role(tag: _Tag) -> str:
    """The ARIA role where the page gives one, else what the tag is."""
    if (role := tag.attributes.get("role", "")).isalpha():
        return role
    if tag.tag == "input":
        kind = tag.attributes.get("type", "text")
        return (_INPUTS[kind] or kind) if kind in _INPUTS else "textbox"
    return _ROLES.get(tag.tag) or tag.tag


def _properties(attributes: Properties) -> Iterator[tuple[str, str]]:
    """The attributes in BrowserGym's words. That an element has an index says that it can be acted on, not how."""
    for name, value in attributes.items():
        plain = value.lower()
        if name in _STATES:
            yield name, "False" if plain == "false" else _STATES[name]
        elif name in ("checked", "pressed", "aria-checked", "invalid"):
            yield name.removeprefix("aria-"), plain
        elif name == "haspopup":
            yield "hasPopup", value
        elif name == "href":
            yield "url", value
        elif name in ("value", "valuetext", "level", "image_src", "placeholder", "options"):
            yield name, value


def one(number: int, text: str) -> AxLine:
    first, *more = text.split("\n")
    if not fits(first):
        return words(number, text, len(text) - len(text.lstrip("\t")))
    line = read([first, *more]).lines[0]
    return ForeignLine(number, line.depth, line.bid, line.role, line.name, text, line.reading)


def write(line: AxLine, bid: str, role: str, label: str, properties: Properties) -> str:
    indent = "\t" * line.depth
    if not bid and not fits(line.text):
        return indent + (label or role)
    states = "".join(f" {name}={value or 'true'}" for name, value in properties.items() if name in _STATES)
    said = f" aria-label={label}" if label else ""
    return f"{indent}{f'[{bid}]' if bid else ''}<{_TAGS.get(role, role) or 'element'}{said}{states} />"


def gap(depth: int, words: str) -> str:
    return "\t" * depth + words


def edit(text: str, changes: Properties) -> str:
    """Addresses are not printed, so there is nothing to shorten."""
    return text


BROWSER_USE = Dialect("browser-use", fits, read, one, write, gap, edit)
