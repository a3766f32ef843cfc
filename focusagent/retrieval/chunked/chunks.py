"""A page cut into chunks to be ranked: the papers' windows of tokens, or whole lines up to the border of a subtree."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate

from focusagent.axtree import AxTree, LineRanges
from focusagent.models.tokens import count_lines, encoding


@dataclass(frozen=True)
class Chunk:
    """`text` is what is ranked; `lines` are those that it touches, `whole` those that it holds from end to end."""

    text: str
    lines: LineRanges
    whole: LineRanges


Chunker = Callable[[AxTree, int], list[Chunk]]


def overlap_of(size: int) -> int:
    """Tokens that a window shares with the one before: 10 in FocusAgent's baselines, 5 at its smallest size of 50."""
    return 10 if size > 50 else 5


def token_windows(tree: AxTree, size: int) -> list[Chunk]:
    """Windows of `size` o200k tokens that overlap by `overlap_of(size)`, as FocusAgent's baselines cut pages
    (arXiv 2510.03204). Raises ValueError for a size that does not exceed the overlap."""
    overlap = overlap_of(size)
    if size <= overlap:
        raise ValueError(f"a chunk must be larger than the overlap of {overlap} tokens, not {size}")
    text = tree.text.encode("utf-8", "replace").decode()
    tokens = encoding().encode(text, disallowed_special=())
    ends = list(accumulate(len(piece) for piece in encoding().decode_tokens_bytes(tokens)))
    data = text.encode()
    line_starts = [0, *accumulate(len(line.encode()) + 1 for line in text.split("\n")[:-1])]
    line_ends = [*(start - 1 for start in line_starts[1:]), len(data)]
    chunks = []
    for first in range(0, max(len(tokens) - overlap, 1), size - overlap):
        start = ends[first - 1] if first else 0
        end = ends[min(first + size, len(tokens)) - 1] if tokens else 0
        lines = (bisect_right(line_starts, start), bisect_right(line_starts, max(end - 1, start)))
        whole = (bisect_left(line_starts, start) + 1, bisect_right(line_ends, end))
        held = LineRanges.of([whole] if whole[0] <= whole[1] else [])
        chunks.append(Chunk(data[start:end].decode("utf-8", "ignore"), LineRanges.of([lines]), held))
    return chunks


def subtree_chunks(tree: AxTree, size: int) -> list[Chunk]:
    """Runs of whole lines of at most `size` tokens (a longer line is a chunk by itself) that rather end where a subtree
    ends: what would have to be cut starts the next chunk, if that can hold it whole."""
    costs = count_lines(line.text for line in tree.lines)
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
    chunks = []
    for first, last in runs:
        text = "\n".join(tree.line(number).text for number in range(first, last + 1))
        lines = LineRanges.of([(first, last)])
        chunks.append(Chunk(text, lines, lines))
    return chunks
