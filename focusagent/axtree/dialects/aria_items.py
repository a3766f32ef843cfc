"""One line of Playwright's YAML: an element, its text, or one of its properties."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

_NAME = r'"[^"\\]*(?:\\.[^"\\]*)*"'
_KEY = re.compile(rf"(?:<changed> )?([A-Za-z]+)(?: ({_NAME}))?((?: \[[^\[\]]*\])*)", re.DOTALL)
_ITEM = re.compile(r"( *)- (.*)", re.DOTALL)
_QUOTED_KEY = re.compile(r"'([^']*(?:''[^']*)*)'(:?)(?: (.+))?", re.DOTALL)
_PROPERTY = re.compile(r"/([a-z]+): (.*)", re.DOTALL)
_TEXT = re.compile(r"text: (.*)", re.DOTALL)
_UNCHANGED = re.compile(r"ref=([A-Za-z0-9]+) \[unchanged\]")
_ATTRIBUTE = re.compile(r"\[([\w-]+)(?:=([^\]]*))?\]")
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "0": "\0"}
_STATES = {
    "active": ("focused", ""),
    "checked": ("checked", "true"),
    "disabled": ("disabled", "True"),
    "expanded": ("expanded", "True"),
    "pressed": ("pressed", "true"),
    "selected": ("selected", "True"),
    "invalid": ("invalid", "true"),
}
_ATTRIBUTES = {known: attribute for attribute, (known, _) in _STATES.items()}
_KINDS = ("mixed", "grammar", "spelling")


class Item(NamedTuple):
    """One item of the YAML: an element, or (`key` "text", "/url", ...) something of the element above it."""

    depth: int
    key: str
    ref: str = ""
    name: str = ""
    value: str = ""
    properties: Mapping[str, str] = {}


def read_item(text: str) -> Item | None:
    """One line; None for what is no item of a snapshot."""
    match = _ITEM.fullmatch(text)
    if match is None:
        return None
    depth, body = len(match[1]) // 2, match[2]
    if found := _TEXT.fullmatch(body):
        return Item(depth, "text", value=scalar(found[1]))
    if found := _PROPERTY.fullmatch(body):
        return Item(depth, f"/{found[1]}", value=scalar(found[2]))
    if found := _UNCHANGED.fullmatch(body):
        return Item(depth, "generic", found[1])
    if found := _QUOTED_KEY.fullmatch(body):
        return _element(depth, found[1].replace("''", "'"), found[3] or "", whole=True)
    return _element(depth, body, "", whole=False)


def _element(depth: int, source: str, value: str, whole: bool) -> Item | None:
    """`source` is a key (`whole`), or a key with what follows it."""
    match = _KEY.match(source)
    if match is None:
        return None
    rest = source[match.end() :]
    if (whole and rest) or not (rest in ("", ":") or rest.startswith(": ")):
        return None
    attributes = dict(_ATTRIBUTE.findall(match[3]))
    name = _json_string(match[2]) if match[2] else ""
    return Item(
        depth, match[1], attributes.get("ref", ""), name, scalar(value or rest[2:]), dict(_states(attributes.items()))
    )


def _states(attributes: Iterable[tuple[str, str]]) -> Iterable[tuple[str, str]]:
    """The attributes in BrowserGym's words. `[box=...]` and the ref are no states."""
    for name, value in attributes:
        if name == "cursor":
            yield "clickable", ""
        elif name == "level" and value.isdigit():
            yield "level", value
        elif name in _STATES:
            known, plain = _STATES[name]
            yield known, value if value in _KINDS else plain


def _json_string(quoted: str) -> str:
    try:
        return str(json.loads(quoted, strict=False))
    except ValueError:
        return quoted[1:-1]


def scalar(source: str) -> str:
    """The string that a YAML scalar on one line stands for."""
    if len(source) >= 2 and source[0] == source[-1] == '"':
        return _ESCAPE.sub(_unescaped, source[1:-1]) if "\\" in source else source[1:-1]
    if len(source) >= 2 and source[0] == source[-1] == "'":
        return source[1:-1].replace("''", "'")
    return source


def _unescaped(match: re.Match[str]) -> str:
    code = match[1]
    return chr(int(code[1:], 16)) if len(code) > 1 else _ESCAPES.get(code, code)


def written_states(properties: Mapping[str, str]) -> Iterable[str]:
    """The states among the properties as attributes; what this dialect cannot say is left out."""
    for name, value in properties.items():
        if name == "clickable":
            yield "[cursor=pointer]"
        elif name in _ATTRIBUTES and value not in ("False", "false"):
            yield f"[{_ATTRIBUTES[name]}{f'={value}' if value in _KINDS else ''}]"
