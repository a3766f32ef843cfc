"""tiktoken without a network, for AgentLab's, BrowserGym's and our own token counts."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

ENCODING = "o200k_base"
PACKAGED = Path(__file__).parent / "encodings"


def use_packaged_encodings() -> None:
    """tiktoken downloads its encodings; litellm ships them. A user's own TIKTOKEN_CACHE_DIR is respected."""
    spec = find_spec("litellm")
    if spec is not None and spec.origin is not None:
        folder = Path(spec.origin).parent / "litellm_core_utils" / "tokenizers"
        os.environ.setdefault("TIKTOKEN_CACHE_DIR", str(folder))


@contextmanager
def packaged_encoding() -> Iterator[None]:
    """Within, tiktoken finds ENCODING in this package, whose checksum it verifies.

    Only within: tiktoken also writes what it downloads into the folder that the variable names, so a lasting setting
    would fill an installed package, or fail where that cannot be written to."""
    before = os.environ.get("TIKTOKEN_CACHE_DIR")
    os.environ["TIKTOKEN_CACHE_DIR"] = str(PACKAGED)
    try:
        yield
    finally:
        if before is None:
            del os.environ["TIKTOKEN_CACHE_DIR"]
        else:
            os.environ["TIKTOKEN_CACHE_DIR"] = before


def know_tokenizer(model_name: str) -> None:
    """Have tiktoken count an unknown model (Claude, a local one) with o200k_base.

    AgentLab asks the Hugging Face hub for any name that tiktoken does not know: about 50 s of retries where there is no
    network, and a 404 for most names where there is one. The count is an estimate then, as AgentLab's own (gpt-4) was.
    """
    use_packaged_encodings()
    from tiktoken.model import MODEL_TO_ENCODING, encoding_name_for_model

    try:
        encoding_name_for_model(model_name)
    except KeyError:
        MODEL_TO_ENCODING[model_name] = ENCODING
