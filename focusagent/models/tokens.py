"""Token counts that need no network and never fail. A page is counted once, a line that comes again not at all."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Protocol

from focusagent.compat.tokenizers import ENCODING, packaged_encoding

_PIECE = 50_000  # characters of a text that is too hard for the tokenizer as a whole
MAX_LINES = 200_000  # lines remembered in one process, about 30 MB
_LONGEST = 400  # characters of a line that is remembered
_counts: dict[str, int] = {}
# The encoding joins blank lines, carriage returns and a slash after a line feed with what stands beside them: there the
# parts do not add up.
_JOINED = re.compile(r"\r|\n/|\n\s*(?:\n|$)|^\s*\n")


class Encoding(Protocol):
    def encode(self, text: str, *, disallowed_special: tuple[str, ...]) -> list[int]: ...

    def decode_tokens_bytes(self, tokens: list[int]) -> list[bytes]: ...


@lru_cache(maxsize=1)
def encoding() -> Encoding:
    import tiktoken

    with packaged_encoding():
        return tiktoken.get_encoding(ENCODING)


@lru_cache(maxsize=8)
def count_tokens(text: str) -> int:
    """o200k_base tokens of any text; lone surrogates count as replacement characters, special tokens as plain text."""
    return _encoded(text)


def count_lines(lines: Iterable[str]) -> list[int]:
    """Tokens of each line with its line feed. Most lines of a page recur at the next step and are remembered."""
    if len(_counts) > MAX_LINES:
        _counts.clear()
    found = []
    for line in lines:
        count = _counts.get(line)
        if count is None:
            count = _encoded(line + "\n")
            if len(line) <= _LONGEST:
                _counts[line] = count
        found.append(count)
    return found


def count_page(text: str) -> int:
    """The tokens of a text whose lines have been counted before: equal to `count_tokens`, without encoding it again."""
    if "\n" not in text or _JOINED.search(text):
        return count_tokens(text)
    head, _, last = text.rpartition("\n")
    return sum(count_lines(head.split("\n"))) + _encoded(last)


def _encoded(text: str) -> int:
    """The tokenizer gives up on very long runs of blanks; such a text is counted in pieces."""
    clean = text.encode("utf-8", "replace").decode()
    try:
        return len(encoding().encode(clean, disallowed_special=()))
    except ValueError:
        pieces = (clean[start : start + _PIECE] for start in range(0, len(clean), _PIECE))
        return sum(len(encoding().encode(piece, disallowed_special=())) for piece in pieces)
