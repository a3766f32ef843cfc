"""A page cut into chunks to be ranked: the papers' windows of tokens, or whole lines up to the border of a subtree."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate

from focusagent.axtree import AxTree, LineRanges
from focusagent.models.tokens import count_tokens, encoding


@dataclass(frozen=True)
class Chunk:
    """`text` is what is ranked; `lines` what is kept when the chunk is chosen."""

    text: str
    lines: LineRanges


Chunker = Callable[[AxTree, int], list[Chunk]]
OVERLAP = 10


def token_windows(tree: AxTree, size: int) -> list[Chunk]:
    """Windows of `size` o200k tokens that share OVERLAP tokens with the one before, as FocusAgent's baselines cut pages
    (arXiv 2510.03204). A window keeps every line that it touches, cut ones too, since a Selection is of lines and a
    reader of the windows would see that part. Raises ValueError for a size that does not exceed the overlap."""
    if size <= OVERLAP:
        raise ValueError(f"a chunk must be larger than the overlap of {OVERLAP} tokens, not {size}")
    text = tree.text.encode("utf-8", "replace").decode()
    tokens = encoding().encode(text, disallowed_special=())
    ends = list(accumulate(len(piece) for piece in encoding().decode_tokens_bytes(tokens)))
    data = text.encode()
    line_starts = [0, *accumulate(len(line.encode()) + 1 for line in text.split("\n")[:-1])]
    chunks = []
    for first in range(0, max(len(tokens) - OVERLAP, 1), size - OVERLAP):
        start = ends[first - 1] if first else 0
        end = ends[min(first + size, len(tokens)) - 1] if tokens else 0
        lines = (bisect_right(line_starts, start), bisect_right(line_starts, max(end - 1, start)))
        chunks.append(Chunk(data[start:end].decode("utf-8", "ignore"), LineRanges.of([lines])))
    return chunks


def subtree_chunks(tree: AxTree, size: int) -> list[Chunk]:
    """Runs of whole lines of at most `size` tokens (a longer line is a chunk by itself) that rather end where a subtree
    ends: what would have to be cut starts the next chunk, if that can hold it whole."""
    costs = [count_tokens(line.text + "\n") for line in tree.lines]
    upto = [0, *accumulate(costs)]
    runs: list[tuple[int, int]] = []
    start = 1
    for number in range(2, len(tree) + 1):
        first, last = tree.subtree(number)
        whole = upto[last] - upto[first - 1]
        used = upto[number - 1] - upto[start - 1]
        if used + costs[number - 1] > size or (used + whole > size and whole <= size and used >= size // 2):
            runs.append((start, number - 1))
            start = number
    runs.append((start, len(tree)))
    return [Chunk("\n".join(tree.line(n).text for n in range(a, b + 1)), LineRanges.of([(a, b)])) for a, b in runs]
