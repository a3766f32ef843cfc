"""Page text as its reader would take it: spelling tricks undone, so that a rule needs one spelling only."""

from __future__ import annotations

import base64
import binascii
import codecs
import html
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

MAX_DECODED, ROUNDS, MAX_GAP = 20_000, 3, 40
_NO_SPACE = re.compile(r"\S+")
_LETTER_PERCENT = re.compile(r"%(?:25)*(?:20|3[0-9]|[46][1-9a-fA-F]|[57][0-9aA])")
_AUTHORITY = re.compile(r"^.{0,20}?[a-z][a-z0-9+.-]{1,20}:/{0,3}[^/?#\s]*", re.IGNORECASE)
_ZEROS = re.compile(r"(&#[xX]?)0+(?=[0-9a-fA-F])")
_ENDLESS = re.compile(r"&#(?:[0-9]{8,}|[xX][0-9a-fA-F]{7,});?")
# References to 0-9, A-Z and a-z, in decimal and hexadecimal; `&amp;#105;` is one once more.
_LETTER_REFERENCE = re.compile(
    r"&(?:amp;)*#0*(?:4[89]|5[0-7]|6[5-9]|[78][0-9]|9[07-9]|1[01][0-9]|12[0-2]);?"
    r"|&(?:amp;)*#[xX]0*(?:3[0-9]|4[1-9a-fA-F]|5[0-9aA]|6[1-9a-fA-F]|7[0-9aA]);?"
)
_TAGS = re.compile("[\U000e0020-\U000e007e]+")
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]"
)
_IN_WORD = re.compile(rf"\w(?:{_INVISIBLE.pattern})+(?=\w)")
_MARKS = re.compile(r"&(?:lt|gt|amp|quot|apos|lpar|rpar|lsqb|rsqb|#3[49]|#4[01]|#6[02]|#9[13]);", re.IGNORECASE)
_SPACED = re.compile(r"(?<!\w)(?:\w[ .\-_]){4,}\w(?!\w)")
_SPACES = re.compile(r"\s+")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{20,}={0,2}")
_HEX = re.compile(r"(?:(?:\\x|0x|%)?[0-9a-fA-F]{2}[\s,]?){12,}")
_ROT13_WORDS = re.compile(r"\b(?:gur|naq|lbhe?|vf|va|bs|guvf|orsber|cyrnfr)\b", re.IGNORECASE)
_WORDS = re.compile(r"[^\W\d_]{2,}")
# Cyrillic and Greek letters that look like Latin ones, pairwise.
_LOOKALIKES = str.maketrans("аеорсухіјѕԁһкмтвнαεορτυνικ", "aeopcyxijsdhkmtbhaeoptuvik")


class Decoded(NamedTuple):
    """Prose that a passage carries in another form; `encoding` is that form's name. Escapes are the usual form of text
    in an address (`usual`); elsewhere the form itself is suspicious."""

    encoding: str
    text: str
    usual: bool = False


@lru_cache(maxsize=20_000)
def plain(text: str) -> str:
    """Lower case, one space between words, compatibility forms, accents, invisible and look-alike letters undone, marks
    in place of their references (`&lt;`)."""
    if not text.isascii():
        text = _INVISIBLE.sub("", _TAGS.sub(lambda match: " " + _from_tags(match[0]) + " ", text))
        text = " ".join(_latin(word) for word in without_accents(text.casefold()).split())
    if "&" in text:
        text = _MARKS.sub(lambda match: html.unescape(match[0]), text)
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
    """Prose hidden in base64, hexadecimal, percent or entity escapes, or rot13. Linear; never raises.

    What is escaped must be prose itself: a link with `%28` or text with `&amp;` hides nothing."""
    for match in _BASE64.finditer(text):
        yield from _prose("base64", _from_base64(match[0]))
    for match in _HEX.finditer(text):
        yield from _prose("hex", _from_hex(match[0]))
    if "%" in text:
        yield from _percents(text)
    if "&" in text:
        for span in _with_references(text):
            yield from _prose("entities", _rounds(span, unescape))
    if len(_ROT13_WORDS.findall(text[:MAX_DECODED])) >= 3:
        yield Decoded("rot13", codecs.decode(text[:MAX_DECODED], "rot13"))


def unescape(text: str) -> str:
    """HTML's character references undone. The standard library raises on numbers of thousands of digits."""
    return html.unescape(_ENDLESS.sub("\ufffd", _ZEROS.sub(r"\1", text)))


def _percents(text: str) -> Iterator[Decoded]:
    """Stretches of words in which letters, digits or spaces are escaped, and what addresses say behind their host."""
    words = [word for word in _NO_SPACE.finditer(text) if _LETTER_PERCENT.search(word[0])]
    for span in _stretches(text, [word.span() for word in words if "/" not in word[0]], gap=1):
        yield from _prose("percent", _from_percent(span))
    for word in words:
        if "/" in word[0]:
            said = _from_percent(_AUTHORITY.sub("", word[0][:MAX_DECODED], count=1))
            yield from (found._replace(usual=True) for found in _prose("percent", said))


def _from_percent(span: str) -> str:
    return _rounds(span[:MAX_DECODED], unquote)


def _rounds(text: str, decode: Callable[[str], str]) -> str:
    """Decoded as often as it was encoded, at most ROUNDS times."""
    for _ in range(ROUNDS):
        text, before = decode(text), text
        if text == before:
            break
    return text


def _with_references(text: str) -> Iterator[str]:
    """The stretches in which letters or digits of ASCII are written as references, which honest text has no reason to
    do; a few plain characters between and around them belong to it."""
    return _stretches(text, [match.span() for match in _LETTER_REFERENCE.finditer(text)], gap=MAX_GAP)


def _stretches(text: str, spans: Iterable[tuple[int, int]], gap: int) -> Iterator[str]:
    """The parts of a text that hold these spans: with at most `gap` characters between them they are one, and as many
    around it are part of it."""
    start = end = -1
    for first, last in spans:
        if start >= 0 and first - end > gap:
            yield text[max(0, start - gap) : end + gap]
            start = -1
        start, end = (first if start < 0 else start), last
    if start >= 0:
        yield text[max(0, start - gap) : end + gap]


def data_url_text(url: str) -> str:
    """The text inside a `data:` URL of a textual type (an SVG banner, an HTML frame), without its markup."""
    head, _, body = url.partition(",")
    if not re.search(r"svg|text|html|xml|json", head):
        return ""
    body = _from_base64(body) if "base64" in head else unquote(body[:MAX_DECODED])
    return _SPACES.sub(" ", unescape(re.sub(r"<style[^<>]*>[^<]*|<[^<>]*>", " ", body))).strip()


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
