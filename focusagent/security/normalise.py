"""Page text as its reader would take it: spelling tricks undone, so that a rule needs one spelling only."""

from __future__ import annotations

import base64
import binascii
import codecs
import html
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

MAX_DECODED = 20_000
_TAGS = re.compile("[\U000e0020-\U000e007e]+")
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]"
)
_IN_WORD = re.compile(rf"\w(?:{_INVISIBLE.pattern})+(?=\w)")
_SPACED = re.compile(r"(?<!\w)(?:\w[ .\-_]){4,}\w(?!\w)")
_SPACES = re.compile(r"\s+")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{20,}={0,2}")
_HEX = re.compile(r"(?:(?:\\x|0x|%)?[0-9a-fA-F]{2}[\s,]?){12,}")
_ROT13_WORDS = re.compile(r"\b(?:gur|naq|lbhe?|vf|va|bs|guvf|orsber|cyrnfr)\b", re.IGNORECASE)
_WORDS = re.compile(r"[^\W\d_]{2,}")
# Cyrillic and Greek letters that look like Latin ones, pairwise.
_LOOKALIKES = str.maketrans("аеорсухіјѕԁһкмтвнαεορτυνικ", "aeopcyxijsdhkmtbhaeoptuvik")


class Decoded(NamedTuple):
    """Prose that a passage carries in another form; `encoding` is that form's name."""

    encoding: str
    text: str


@lru_cache(maxsize=20_000)
def plain(text: str) -> str:
    """Lower case, one space between words, compatibility forms, accents, invisible and look-alike letters undone."""
    if not text.isascii():
        text = _INVISIBLE.sub("", _TAGS.sub(lambda match: " " + _from_tags(match[0]) + " ", text))
        text = " ".join(_latin(word) for word in without_accents(text.casefold()).split())
    text = _SPACED.sub(lambda match: re.sub(r"[ .\-_]", "", match[0]), text.lower())
    return _SPACES.sub(" ", text).strip()


def without_accents(text: str) -> str:
    """Compatibility forms resolved, combining marks dropped."""
    return "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))


def invisible_in_words(text: str) -> int:
    """How many words are cut by characters that no reader sees; tag characters, which spell whole texts, count too."""
    if text.isascii():
        return 0
    return len(_IN_WORD.findall(text)) + sum(len(match) for match in _TAGS.findall(text))


def decoded(text: str) -> Iterator[Decoded]:
    """Prose hidden in base64, hexadecimal, percent or entity escapes, or rot13. Bounded; never raises."""
    for match in _BASE64.finditer(text):
        yield from _prose("base64", _from_base64(match[0]))
    for match in _HEX.finditer(text):
        yield from _prose("hex", _from_hex(match[0]))
    for encoding, decode in (("percent", unquote), ("entities", html.unescape)):
        if len(text) <= MAX_DECODED and (other := decode(text)) != text:
            yield from _prose(encoding, other)
    if len(_ROT13_WORDS.findall(text[:MAX_DECODED])) >= 3:
        yield Decoded("rot13", codecs.decode(text[:MAX_DECODED], "rot13"))


def data_url_text(url: str) -> str:
    """The text inside a `data:` URL of a textual type (an SVG banner, an HTML frame), without its markup."""
    head, _, body = url.partition(",")
    if not re.search(r"svg|text|html|xml|json", head):
        return ""
    body = _from_base64(body) if "base64" in head else unquote(body[:MAX_DECODED])
    return _SPACES.sub(" ", html.unescape(re.sub(r"<style[^<>]*>[^<]*|<[^<>]*>", " ", body))).strip()


def _latin(word: str) -> str:
    """The word in Latin letters where it mixes them with look-alikes."""
    return word.translate(_LOOKALIKES) if not word.isascii() and re.search("[a-z]", word) else word


def _from_tags(tags: str) -> str:
    return "".join(chr(ord(tag) - 0xE0000) for tag in tags)


def _from_base64(text: str) -> str:
    text = text[:MAX_DECODED].rstrip("=").replace("-", "+").replace("_", "/")
    text = text[:-1] if len(text) % 4 == 1 else text
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4)).decode()
    except (binascii.Error, ValueError):
        return ""


def _from_hex(text: str) -> str:
    try:
        return bytes.fromhex(re.sub(r"\\x|0x|%|[\s,]", "", text[:MAX_DECODED])).decode()
    except ValueError:
        return ""


def _prose(encoding: str, text: str) -> Iterator[Decoded]:
    """The text where it reads as prose: half of it letters, several words with spaces between."""
    words = _WORDS.findall(text)
    if text.count(" ") >= 3 and len(words) >= 4 and sum(map(len, words)) >= 0.5 * len(text):
        yield Decoded(encoding, text)
