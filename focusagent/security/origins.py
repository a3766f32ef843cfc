"""Web origins, and the addresses that stand in prose."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from ipaddress import ip_address
from typing import NamedTuple
from urllib.parse import urlsplit

from focusagent.axtree import AxTree
from focusagent.axtree.properties import properties
from focusagent.security.normalise import plain

_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}
_HOST = r"localhost|(?:\d{1,3}\.){3}\d{1,3}|\[[0-9a-f:.]+\]|(?:[a-z0-9_][a-z0-9_-]{0,61}\.)+[a-z]{2,18}"
_TOP = (
    "com|org|net|io|info|biz|dev|app|edu|gov|example|test|invalid|local|internal|site|online|xyz|top|cloud|link|click"
)
_ADDRESS = re.compile(
    rf"h(?:tt|xx)ps? ?: ?//[^\s<>\"'`|\\^{{}}]+|www\.[a-z0-9.-]+[^\s<>\"'`]*"
    rf"|(?<![\w@./-])(?:localhost|(?:\d{{1,3}}\.){{3}}\d{{1,3}})(?::\d{{2,5}})(?:/[^\s<>\"'`]*)?"
    rf"|(?<![\w@./-])(?:[a-z0-9-]{{1,63}}(?:\.| ?\[\.\] ?| dot )){{1,4}}(?:{_TOP})\b(?::\d{{2,5}}(?!\d))?"
    r"(?:/[^\s<>\"'`]*)?(?![\w@])",
    re.IGNORECASE,
)
_AUTHORITY = re.compile(r"(?:https?://)?(?:[^\s/?#@]*@)?(?:\[[0-9a-f:.]+\]|[\w.-]+)(?::\d+)?", re.IGNORECASE)
_BARE = re.compile(rf"(?<![\w@./-])(?:{_HOST})(?::\d{{2,5}}(?!\d))?(?![\w@-])", re.IGNORECASE)
_FILES = (".md", ".mov", ".pl", ".ps", ".py", ".rs", ".sh", ".zip")
_LONGEST = 4_000  # characters of a text whose addresses are remembered


class Origin(NamedTuple):
    """Scheme class and place of a web server; "" and 0 where a text leaves them open."""

    host: str
    port: int

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}" if self.port else host

    def is_site(self, other: Origin) -> bool:
        """The same host but for a `www.`, and the same port or both a default one of http and https."""
        same = self.host.removeprefix("www.") == other.host.removeprefix("www.")
        return same and (self.port == other.port or {self.port, other.port} <= {80, 443})


class Address(NamedTuple):
    """An address found in a text at start..end."""

    origin: Origin
    start: int
    end: int


@lru_cache(maxsize=20_000)
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
        host, port = _canonical((parts.hostname or "").rstrip(".")), parts.port
    except ValueError:
        return None
    scheme = scheme.lower()
    if scheme not in _PORTS or not host:
        return None
    return Origin("127.0.0.1" if host == "localhost" else host, port or _PORTS[scheme])


def _canonical(host: str) -> str:
    """A host as browsers report it: international names in their ASCII form, IPv6 at its shortest; ValueError for what
    is no host."""
    if ":" in host:
        return str(ip_address(host))
    if not re.fullmatch(r"[\w.-]*", host):
        raise ValueError(host)
    return host if host.isascii() else host.encode("idna").decode()


def addresses(text: str) -> tuple[Address, ...]:
    """Addresses written out in a text, also where they are lightly disguised (`hxxp`, ` dot com`)."""
    return _remembered(text) if len(text) <= _LONGEST else tuple(_addresses(text))


@lru_cache(maxsize=20_000)
def _remembered(text: str) -> tuple[Address, ...]:
    return tuple(_addresses(text))


def _addresses(text: str) -> Iterator[Address]:
    for match in _ADDRESS.finditer(text):
        written = re.sub(r" ?\[\.\] ?| dot ", ".", match[0]).replace("hxxp", "http").replace(" ", "").rstrip(".,;:!?)]")
        head = _AUTHORITY.match(written)
        if head and (origin := origin_of(head[0].rstrip("."))):
            yield Address(origin, match.start(), match.end())


def sites_named(goal: str) -> set[Origin]:
    """The sites that a user's goal names: its addresses, and bare hosts of any top-level domain that is no file's
    ending."""
    bare = (match[0] for match in _BARE.finditer(goal) if not match[0].lower().endswith(_FILES))
    return {address.origin for address in addresses(goal)} | {one for host in bare if (one := origin_of(host))}


def mentions(text: str, origin: Origin) -> Iterator[tuple[int, int]]:
    """Where a plain text names a site, with the port where it is not a default one; mail addresses do not count."""
    return (match.span() for match in _mention(origin).finditer(text))


def _in_unicode(host: str) -> str:
    try:
        return host.encode().decode("idna")
    except UnicodeError:
        return host


@lru_cache(maxsize=256)
def _mention(origin: Origin) -> re.Pattern[str]:
    host = origin.host.removeprefix("www.")
    names = {f"[{host}]" if ":" in host else host, _in_unicode(host)}
    names |= {"localhost"} if host == "127.0.0.1" else set()
    spelt = "|".join(re.escape(form) for name in names for form in {name, plain(name)})
    port = "(?::(?:80|443))?" if origin.port in (80, 443) else f":{origin.port}"
    return re.compile(
        rf"(?<![a-z0-9_.@-])(?:www\.)?(?:{spelt}){port}(?![a-z0-9_]|:\d|[a-z0-9_-]*\.[a-z0-9])", re.IGNORECASE
    )


def page_origins(tree: AxTree, goal: str = "", more: Iterable[str] = ()) -> frozenset[Origin]:
    """The page's own origin (from its root lines), those that the goal names, and those given."""
    found = sites_named(goal)
    roots = (properties(line).get("url", "") for line in tree.lines if line.role == "RootWebArea" and not line.depth)
    return frozenset(found | {origin for url in (*roots, *more) if (origin := origin_of(url))})
