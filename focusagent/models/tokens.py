"""Token counts that need no network and never fail."""

from __future__ import annotations

import os
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

ENCODING = "o200k_base"


class Encoding(Protocol):
    def encode(self, text: str, *, disallowed_special: tuple[str, ...]) -> list[int]: ...

    def decode_tokens_bytes(self, tokens: list[int]) -> list[bytes]: ...


def use_packaged_encodings() -> None:
    """tiktoken downloads its encodings; litellm ships them. A user's own TIKTOKEN_CACHE_DIR is respected."""
    spec = find_spec("litellm")
    if spec is not None and spec.origin is not None:
        folder = Path(spec.origin).parent / "litellm_core_utils" / "tokenizers"
        os.environ.setdefault("TIKTOKEN_CACHE_DIR", str(folder))


@lru_cache(maxsize=1)
def encoding() -> Encoding:
    use_packaged_encodings()
    import tiktoken

    return tiktoken.get_encoding(ENCODING)


def count_tokens(text: str) -> int:
    """o200k_base tokens of any text; lone surrogates count as replacement characters, special tokens as plain text."""
    return len(encoding().encode(text.encode("utf-8", "replace").decode(), disallowed_special=()))
