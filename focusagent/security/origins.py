"""Web origins, and the addresses that stand in prose."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple
from urllib.parse import urlsplit

from focusagent.axtree import AxTree
from focusagent.axtree.properties import properties

_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}
_HOST = r"localhost|(?:\d{1,3}\.){3}\d{1,3}|\[[0-9a-f:.]+\]|(?:[a-z0-9_](?:[a-z0-9_-]{0,61})?\.)+[a-z]{2,18}"
_TOP = (
    "com|org|net|io|info|biz|dev|app|edu|gov|example|test|invalid|local|internal|site|online|xyz|top|cloud|link|click"
)
_ADDRESS = re.compile(
    rf"h(?:tt|xx)ps? ?: ?//[^\s<>\"'`|\\^{{}}]+|www\.[a-z0-9.-]+[^\s<>\"'`]*"
    rf"|(?<![\w@./-])(?:localhost|(?:\d{{1,3}}\.){{3}}\d{{1,3}})(?::\d{{2,5}})(?:/[^\s<>\"'`]*)?"
    rf"|(?<![\w@./-])(?:[a-z0-9-]{{1,63}}(?:\.| ?\[\.\] ?| dot )){{1,4}}(?:{_TOP})\b(?:/[^\s<>\"'`]*)?(?![\w@])",
    re.IGNORECASE,
)


class Origin(NamedTuple):
    """Scheme class and place of a web server; "" and 0 where a text leaves them open."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"{self.host}:{self.port}" if self.port else self.host


class Address(NamedTuple):
    """An address found in a text at start..end."""

    origin: Origin
    start: int
    end: int


def origin_of(url: str) -> Origin | None:
    """The origin of a URL or of a bare `host:port/path`, None where there is none (about:blank, data:, a path)."""
    url = re.sub(r"^[\x00-\x20]+|[\t\r\n]", "", url).replace("\\", "/")
    if url.startswith("//"):
        url = "http:" + url
    if not re.match(r"(?:https?:|[a-z][a-z0-9+.-]*:/)", url, re.IGNORECASE):
        if not re.match(rf"(?:{_HOST})(?::\d+)?(?:[/?#]|$)", url, re.IGNORECASE):
            return None
        url = "http://" + url
    scheme, _, rest = url.partition(":")
    try:
        parts = urlsplit(f"{scheme}://{rest.lstrip('/')}")
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError:
        return None
    scheme = scheme.lower()
    if scheme not in _PORTS or not host:
        return None
    return Origin("127.0.0.1" if host == "localhost" else host, port or _PORTS[scheme])


def addresses(text: str) -> Iterator[Address]:
    """Addresses written out in a text, also where they are lightly disguised (`hxxp`, ` dot com`)."""
    for match in _ADDRESS.finditer(text):
        written = re.sub(r" ?\[\.\] ?| dot ", ".", match[0]).replace("hxxp", "http").replace(" ", "").rstrip(".,;:!?)]")
        if origin := origin_of(written):
            yield Address(origin, match.start(), match.end())


def page_origins(tree: AxTree, goal: str = "", more: Iterable[str] = ()) -> frozenset[Origin]:
    """The page's own origin (from its root lines), those that the goal names, and those given."""
    found = {address.origin for address in addresses(goal)}
    roots = (properties(line).get("url", "") for line in tree.lines if line.role == "RootWebArea" and not line.depth)
    return frozenset(found | {origin for url in (*roots, *more) if (origin := origin_of(url))})
