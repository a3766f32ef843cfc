"""Keep the chunks that rank best for a query: what the BM25 and the embedding baselines share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from focusagent.axtree import LineRanges
from focusagent.models.call import Call
from focusagent.models.failure import ModelError
from focusagent.retrieval.base import Fallback, Query, Selection
from focusagent.retrieval.chunked.chunks import Chunk, Chunker, subtree_chunks, token_windows

TOP = 10


@dataclass(frozen=True)
class Ranking:
    """One score a text, higher for better."""

    scores: Sequence[float]
    calls: tuple[Call, ...] = ()  # what the scores cost
    note: str = ""  # what a reader of the scores should know


class Ranker(Protocol):
    def rank(self, query: str, texts: Sequence[str]) -> Ranking:
        """Raises ModelError where a model that it needs does not answer."""
        ...


class TopChunks:
    """The TOP best chunks, the earlier of two equals first; so on a page where nothing matches, the first ones. A page
    of no more chunks is kept whole, unranked. The observation is the chunks themselves, best first; asked for lines
    `within` some, as by who merges them with others, it is every line that the chunks touch."""

    def __init__(self, ranker: Ranker, chunker: Chunker, size: int, query_text: Callable[[Query], str]) -> None:
        self.ranker = ranker
        self.chunker = chunker
        self.size = size
        self.query_text = query_text

    def select(self, query: Query) -> Selection:
        chunks = self._within(self.chunker(query.tree, self.size), query)
        if len(chunks) <= TOP:
            return Selection(LineRanges().union(*(chunk.lines for chunk in chunks)))
        try:
            ranking = self.ranker.rank(self.query_text(query), [chunk.text for chunk in chunks])
        except ModelError as error:
            return Selection(LineRanges(), str(error), fallback=Fallback(error.failure), calls=error.calls)
        best = sorted(range(len(chunks)), key=lambda index: -ranking.scores[index])[:TOP]
        why = {chunks[i].lines.pairs[0][0]: f"chunk {i + 1}, score {ranking.scores[i]:.3f}" for i in sorted(best)}
        shown = self._show([chunks[index] for index in best], query)
        return replace(shown, why=why, calls=ranking.calls, notes=(ranking.note,) if ranking.note else ())

    def _within(self, chunks: list[Chunk], query: Query) -> list[Chunk]:
        if query.within is None:
            return chunks
        cut = (replace(chunk, lines=chunk.lines.intersection(query.within)) for chunk in chunks)
        return [chunk for chunk in cut if chunk.lines]

    def _show(self, best: Sequence[Chunk], query: Query) -> Selection:
        if query.within is not None:
            return Selection(LineRanges().union(*(chunk.lines for chunk in best)))
        text = "\n\n".join(f"Chunk {place}:\n{chunk.text}" for place, chunk in enumerate(best))
        return Selection(LineRanges().union(*(chunk.whole for chunk in best)), text=text)


class TopSubtrees(TopChunks):
    """The better variant: chunks of whole lines cut at subtree borders, in page order and without repeats, each below
    the named lines that contain it."""

    def __init__(self, ranker: Ranker, size: int, query_text: Callable[[Query], str]) -> None:
        super().__init__(ranker, subtree_chunks, size, query_text)

    def _show(self, best: Sequence[Chunk], query: Query) -> Selection:
        return Selection(LineRanges().union(*(self._with_names_above(chunk, query) for chunk in best)))

    @staticmethod
    def _with_names_above(chunk: Chunk, query: Query) -> LineRanges:
        first = chunk.lines.pairs[0][0]
        above = [number for number in query.tree.ancestors(first) if query.tree.line(number).name.strip()]
        shown = chunk.lines.union(LineRanges.of_numbers(above))
        return shown if query.within is None else shown.intersection(query.within)


def windows(ranker: Ranker, size: int, query_text: Callable[[Query], str]) -> TopChunks:
    """The papers' variant: windows of tokens."""
    return TopChunks(ranker, token_windows, size, query_text)
