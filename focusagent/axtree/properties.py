"""The properties after a line's name: `, expanded=False, url='...', focused` and BrowserGym's ` value='...'`."""

from __future__ import annotations

import re

from focusagent.axtree.line import QUOTED, AxLine, unquote

_HEAD = re.compile(rf"\s*(?:\[[A-Za-z0-9]+\](?: |$))?[^\s,]*(?: (?:{QUOTED}))?", re.DOTALL)
_PROPERTY = re.compile(rf"(?:, | (?=value=))([A-Za-z_][\w-]*)(?:=({QUOTED}|[^,]*))?(?=, |$| value=)", re.DOTALL)


def split_line(text: str) -> tuple[str, str]:
    """(indent, bid, role and name; the rest), which join to `text` again."""
    match = _HEAD.match(text)
    end = match.end() if match else len(text)
    return text[:end], text[end:]


def properties(line: AxLine) -> dict[str, str]:
    """Property name -> value as text; "" for a bare flag such as `focused`. The names are BrowserGym's in any dialect.

    A property that is missing is unknown, not false: no dialect says all of them."""
    return {name: _plain(value) for name, value in _PROPERTY.findall(split_line(line.reading)[1])}


def _plain(value: str) -> str:
    return unquote(value) if value[:1] in ("'", '"') else value


def drop_properties(text: str, names: frozenset[str]) -> str:
    """The line without the named properties; anything that does not read as a property stays as it is."""
    head, tail = split_line(text)
    return head + _PROPERTY.sub(lambda match: "" if match[1] in names else match[0], tail) if tail else text


def replace_property(text: str, name: str, value: str) -> str:
    """The line with another value of that property where it has one that is not empty."""
    head, tail = split_line(text)

    def other(match: re.Match[str]) -> str:
        if match[1] != name or not _plain(match[2]):
            return match[0]
        return f"{match[0][: match.start(1) - match.start()]}{name}={value!r}"

    return head + _PROPERTY.sub(other, tail) if tail else text
