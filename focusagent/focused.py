"""What became of one observation, and the cases in which nothing is chosen of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from focusagent.axtree import AxTree, LineRanges, Simplified, prune
from focusagent.axtree.prune import placeholder
from focusagent.models.tokens import count_tokens
from focusagent.retrieval import Fallback, Selection, Skip
from focusagent.security.sanitise import skeleton_of


@dataclass(frozen=True)
class Focused:
    """What the backbone sees (`text`) and how it came about. All line numbers and token counts are those of the
    observation as received; `flagged` are the lines whose text was withheld; `seconds` is the retriever's time; `note`
    says in a line what a reader should know besides: that the text is no tree, that a dialog covers the page."""

    text: str
    ranges: LineRanges
    flagged: LineRanges
    tokens_full: int
    tokens_pruned: int
    selection: Selection
    tree: AxTree
    removed: LineRanges = LineRanges()
    seconds: float = 0.0
    note: str = ""
    reasons: Mapping[int, tuple[str, ...]] | None = None

    @property
    def pruning(self) -> float:
        """1 - |pruned| / |original| in tokens (the paper's Reduction); 0 for an empty page."""
        return 1 - self.tokens_pruned / self.tokens_full if self.tokens_full else 0.0


def checked(selection: Selection, n: int) -> Selection:
    """The selection within lines 1..n. Raises TypeError for what a retriever must not return."""
    if not isinstance(selection, Selection):
        raise TypeError(f"the retriever returned {type(selection).__name__}, not a Selection")
    return replace(
        selection,
        ranges=selection.ranges.clip(n),
        flagged=selection.flagged.clip(n),
        reused=selection.reused.clip(n),
        unread=selection.unread.clip(n),
        why={number: text for number, text in selection.why.items() if 1 <= number <= n},
        spans={number: spans for number, spans in selection.spans.items() if 1 <= number <= n},
    )


def as_received(tree: AxTree, selection: Selection) -> Focused:
    """The whole page, as a benign agent sees it when nothing could be chosen."""
    everything = LineRanges.all(len(tree))
    selection = replace(selection, ranges=everything)
    return Focused(tree.text, everything, LineRanges(), 0, count_tokens(tree.text), selection, tree)


def to_original(selection: Selection, simplified: Simplified | None, n: int) -> Selection:
    """The same selection, counted in lines of the observation as received."""
    if simplified is None:
        return selection
    return replace(
        selection,
        ranges=simplified.to_original(selection.ranges),
        flagged=simplified.to_original(selection.flagged),
        reused=simplified.to_original(selection.reused),
        unread=simplified.to_original(selection.unread),
        why={simplified.original[number]: text for number, text in selection.why.items()},
        spans={simplified.original[number]: spans for number, spans in selection.spans.items()},
    )


def no_tree(tree: AxTree, tokens: int, withheld: bool) -> Focused:
    """A text that is no tree comes back whole or, where it would have to be vetted, is `withheld` as a whole. Both say
    so."""
    everything, nothing = LineRanges.all(len(tree)), LineRanges()
    if not withheld:
        selection = Selection(everything, skipped=Skip.NO_TREE)
        return Focused(tree.text, everything, nothing, tokens, tokens, selection, tree, note=tree.doubt)
    text = placeholder(tree, (1, len(tree)), 0)
    selection = Selection(nothing, tree.doubt, fallback=Fallback.UNREADABLE)
    note = f"withheld as a whole: {tree.doubt}"
    return Focused(text, nothing, everything, tokens, count_tokens(text), selection, tree, everything, note=note)


def skeletons(tree: AxTree) -> Focused:
    """Bids and roles only, of a page that could not be vetted."""
    everything, bare = (
        LineRanges.all(len(tree)),
        {line.number: skeleton_of(tree, line) for line in tree.lines if line.bid},
    )
    pruned = prune(tree, LineRanges.of_numbers(bare), texts=bare)
    selection = Selection(LineRanges(), "the page could not be vetted", fallback=Fallback.UNVETTED)
    tokens = count_tokens(tree.text), count_tokens(pruned.text)
    return Focused(pruned.text, pruned.kept, everything, *tokens, selection, tree, pruned.removed)
