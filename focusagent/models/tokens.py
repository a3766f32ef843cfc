"""Token counts that need no network and never fail."""

from __future__ import annotations

from functools import lru_cache
from typing import Protocol

from focusagent.compat.tokenizers import ENCODING, packaged_encoding


class Encoding(Protocol):
    def encode(self, text: str, *, disallowed_special: tuple[str, ...]) -> list[int]: ...

    def decode_tokens_bytes(self, tokens: list[int]) -> list[bytes]: ...


@lru_cache(maxsize=1)
def encoding() -> Encoding:
    import tiktoken

    with packaged_encoding():
        return tiktoken.get_encoding(ENCODING)


def count_tokens(text: str) -> int:
    """o200k_base tokens of any text; lone surrogates count as replacement characters, special tokens as plain text."""
    return len(encoding().encode(text.encode("utf-8", "replace").decode(), disallowed_special=()))
