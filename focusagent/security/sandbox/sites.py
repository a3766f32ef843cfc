"""Sites: what the user writes and what the browser requests, brought to one spelling and compared.

Stricter than `security.origins`, which reads prose: here `localhost` and 127.0.0.1 are two hosts, and a site given with
https is never opened with http."""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address
from urllib.parse import urlsplit

DEFAULT_PORTS = {"http": 80, "https": 443}
_SCHEMES = {"http": "http", "https": "https", "ws": "http", "wss": "https"}
_HOST = re.compile(r"[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*")
_NUMBER = re.compile(r"(?:0x[0-9a-f]*|\d+)")
# The old and the new rules for international names make different hosts of these letters: whoever owns one of the two
# hosts need not own the other, so the user has to write the ASCII form.
_DEVIATIONS = frozenset("ßς\u200c\u200d")


@dataclass(frozen=True)
class Site:
    """An origin. `host` is in its ASCII form, without a trailing dot; IPv6 at its shortest, without brackets."""

    scheme: str  # "http", "https", or "" where the user wrote a bare host: then either
    host: str
    port: int  # 0 where the user wrote a bare host: then the scheme's default port

    @classmethod
    def parse(cls, text: str) -> Site:
        """A site as a user writes it: an address of any path, or `host[:port]`. Raises ValueError, which names it."""
        written = text.strip()
        bare = "//" not in written
        found = site_of(f"http://{written}" if bare else written)
        if found is None:
            raise ValueError(f"{text!r} is no site: write an address such as https://shop.example or a host[:port]")
        if not bare:
            return found
        port = urlsplit(f"http://{written}").port
        return cls("", found.host, port or 0)

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = f":{self.port}" if self.port not in (0, DEFAULT_PORTS.get(self.scheme, 0)) else ""
        return f"{self.scheme}://{host}{port}" if self.scheme else f"{host}{port}"

    def covers(self, other: Site) -> bool:
        """Whether a request to `other` stays on this site: the same host but for a `www.`, the same port, and no step
        from https down to http. From http up to https, both on their default ports, is the same site."""
        if self.host.removeprefix("www.") != other.host.removeprefix("www."):
            return False
        if not self.scheme:
            return other.port == (self.port or DEFAULT_PORTS[other.scheme])
        if self.scheme == other.scheme:
            return self.port == other.port
        return self.scheme == "http" and (self.port, other.port) == (80, 443)


def site_of(url: str) -> Site | None:
    """The site that an absolute http, https, ws or wss address leads to; None for every other address.

    ws and wss count as http and https: it is the same server."""
    try:
        parts = urlsplit(re.sub(r"[\t\r\n]", "", url).strip().replace("\\", "/"))
        scheme = _SCHEMES.get(parts.scheme.lower(), "")
        host = canonical_host(parts.hostname or "")
        port = parts.port
    except ValueError:
        return None
    if not scheme or port == 0:
        return None
    return Site(scheme, host, port or DEFAULT_PORTS[scheme])


def canonical_host(host: str) -> str:
    """A host as Chromium reports it. Raises ValueError for what is none."""
    if ":" in host:
        return str(IPv6Address(host))
    host = host.lower().removesuffix(".")
    if not host.isascii():
        if not _DEVIATIONS.isdisjoint(host):
            raise ValueError(f"{host!r} means different hosts to different programs: write its xn-- form")
        host = host.encode("idna").decode()
    if not _HOST.fullmatch(host) or len(host) > 253:
        raise ValueError(f"{host!r} is no host")
    # Browsers read a host that ends in a number as an IPv4 address, in many spellings; one spelling is enough here.
    if _NUMBER.fullmatch(host.rpartition(".")[2]):
        return str(IPv4Address(host))
    return host
