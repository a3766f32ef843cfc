"""Text that was typed, and whether a request carries it away: as it stands, encoded, or a few letters at a time."""

from __future__ import annotations

import base64
import binascii
import codecs
import re
from collections.abc import Iterator
from urllib.parse import parse_qsl, unquote_plus, urlsplit

from focusagent.security.normalise import unescape

SHORTEST = 8  # letters and digits in a row that count as the same text
MAX_STREAM = 400  # letters that are remembered of what one field of one server got
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{11,}")
_HEX = re.compile(r"(?:[0-9a-fA-F]{2}){8,}")
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")


class Typed:
    """What one episode has typed, and what each foreign server has got in small pieces since."""

    def __init__(self) -> None:
        self._texts: dict[str, frozenset[str]] = {}  # letters -> each eight of them in a row
        self._letters = ""  # single keys and short texts, in a row
        self._streams: dict[tuple[str, str], str] = {}

    def add(self, text: str) -> None:
        """Text that was filled in, or a key's letter."""
        squeezed = squeeze(text)
        if len(squeezed) >= SHORTEST and squeezed not in self._texts:
            self._texts[squeezed] = windows(squeezed)
        elif squeezed:
            self._letters = (self._letters + squeezed)[-MAX_STREAM:]

    def __bool__(self) -> bool:
        return bool(self._texts) or len(self._letters) >= SHORTEST

    def carried(self, url: str, body: bytes | None) -> bool:
        """Whether a request to another site holds eight letters in a row of what was typed, in any reading, alone or
        together with earlier requests. A body that cannot be read counts as carrying it."""
        if not self:
            return False
        if body is None:
            return True
        said = f"{url.partition('://')[2]}\n{body.decode('utf-8', 'replace')}"
        if any(self._holds(reading) for reading in readings(said)):
            return True
        return any(self._holds(stream) for stream in self._together(url))

    def _holds(self, text: str) -> bool:
        said = windows(squeeze(text))
        return any(not said.isdisjoint(typed) for typed in (*self._texts.values(), windows(self._letters)))

    def _together(self, url: str) -> Iterator[str]:
        """What each field of that server has got so far, this request included."""
        parts = urlsplit(url)
        segments = parts.path.split("/")
        pieces = [(f"/{len(segments)}", segments[-1]), ("host", parts.netloc.partition(".")[0])]
        pieces += parse_qsl(parts.query, keep_blank_values=True)
        for name, value in pieces:
            # The host's first label varies where the text travels in it: keyed by the rest of the host.
            key = (parts.netloc.partition(".")[2] if name == "host" else parts.netloc, name)
            self._streams[key] = (self._streams.get(key, "") + squeeze(unquote_plus(value)))[-MAX_STREAM:]
            yield self._streams[key]


def squeeze(text: str) -> str:
    """Letters and digits alone, in lower case."""
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def windows(text: str) -> frozenset[str]:
    """Each SHORTEST letters in a row."""
    return frozenset(text[start : start + SHORTEST] for start in range(len(text) - SHORTEST + 1))


def readings(said: str) -> Iterator[str]:
    """The text as it stands, with escapes undone, with what looks like base64 or hexadecimal decoded; each of these
    also read backwards and with rot13."""
    plain = [said]
    for _ in range(2):
        plain.append(_ESCAPE.sub(_letter, unescape(unquote_plus(plain[-1]))))
    for text in dict.fromkeys(plain):
        for reading in (text, *_decoded(text)):
            yield reading
            yield reading[::-1]
            yield codecs.encode(reading, "rot13")


def _letter(match: re.Match[str]) -> str:
    return chr(int(match[1], 16))


def _decoded(text: str) -> Iterator[str]:
    for match in _BASE64.finditer(text):
        token = match[0].replace("-", "+").replace("_", "/")
        # A path's slash may stand before the token: read it from each of its parts, and whole.
        for part in dict.fromkeys((token, *token.split("/"))):
            yield _from_base64(part)
    for match in _HEX.finditer(text):
        yield bytes.fromhex(match[0]).decode("utf-8", "replace")


def _from_base64(token: str) -> str:
    token = token[: len(token) - (len(token) % 4 == 1)]
    try:
        return base64.b64decode(token + "=" * (-len(token) % 4)).decode("utf-8", "replace")
    except (binascii.Error, ValueError):
        return ""
