"""The road of one observation: parse, simplify, select, map back, prune. No AgentLab, no model client."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from focusagent.axtree import AxTree, Keep, LineRanges, Simplified, prune, simplify
from focusagent.axtree.excerpt import excerpt
from focusagent.axtree.prune import Pruned
from focusagent.focused import Focused, as_received, checked, no_tree, skeletons, to_original
from focusagent.models.tokens import count_page, count_tokens
from focusagent.retrieval import Fallback, Query, Retriever, Selection, Skip, make_retriever
from focusagent.retrieval.base import nothing_to_choose
from focusagent.retrieval.live import live_lines, text_below
from focusagent.second_look import notes_on
from focusagent.security.closed import FailClosed
from focusagent.security.sanitise import skeleton_of
from focusagent.security.vetted import Defence, Vetted


class Focuser:
    """Focuses observations with one retriever. With a `defence` it fails closed and never skips; else it fails open.
    `name_hidden` lets placeholders say what they hide; `keep_live` keeps dialogs, the focus and what was just acted on,
    `keep_text` the text directly under a chosen heading, whatever the retriever says."""

    def __init__(
        self,
        retriever: Retriever,
        *,
        simplify: bool = True,
        keep: Keep = "nothing",
        skip_below: int = 500,
        defence: Defence | None = None,
        name_hidden: bool = False,
        keep_live: bool = False,
        keep_text: bool = False,
        dialect: str = "auto",
    ) -> None:
        self.retriever = retriever
        self.simplify = simplify
        self.keep: Keep = keep
        self.skip_below = 0 if defence else skip_below
        self.defence = defence
        self.name_hidden = name_hidden
        self.keep_live = keep_live
        self.keep_text = keep_text
        self.dialect = dialect
        self.guard = FailClosed()

    def focus(self, text: str, goal: str, **context: Any) -> Focused:
        """Focus the AxTree text of one observation. `context` is what else a Query holds.

        With a defence never raises: where vetting fails, bids and roles are shown."""
        if not self.defence:
            return self._focus(text, goal, **context)
        work = partial(self._focus, text, goal, **context)
        return self.guard.run("vetting", work, lambda: skeletons(AxTree.parse(text, self.dialect)))

    def _focus(self, text: str, goal: str, **context: Any) -> Focused:
        tree = AxTree.parse(text, self.dialect)
        tokens = count_tokens(text)
        if self.dialect == "auto" and tree.doubt:
            return no_tree(tree, tokens, withheld=self.defence is not None)
        if skip := self._skip(tree, tokens):
            everything = LineRanges.all(len(tree))
            selection = Selection(everything, skipped=skip)
            return Focused(text, everything, LineRanges(), tokens, tokens, selection, tree)
        page = self._vetted_page(tree, goal)
        simplified = self._simplified(page)
        started = time.perf_counter()
        selection = self._select(Query(goal, simplified.tree if simplified else page, **context))
        seconds = time.perf_counter() - started
        selection = to_original(selection, simplified, len(tree))
        show = self._show_vetted if self.defence else self._show
        return replace(show(tree, simplified, selection, goal), tokens_full=tokens, seconds=seconds)

    def show_more(self, focused: Focused, lines: LineRanges, goal: str) -> Focused:
        """The same page with `lines` of the observation as received shown as well; a defence vets them like others."""
        if not self.defence:
            return self._show_more(focused, lines, goal)
        return self.guard.run("vetting", lambda: self._show_more(focused, lines, goal), lambda: focused)

    def _show_more(self, focused: Focused, lines: LineRanges, goal: str) -> Focused:
        simplified = self._simplified(self._vetted_page(focused.tree, goal))
        spans = {number: parts for number, parts in focused.selection.spans.items() if number not in lines}
        selection = replace(focused.selection, ranges=focused.selection.ranges.union(lines), text=None, spans=spans)
        show = self._show_vetted if self.defence else self._show
        shown = show(focused.tree, simplified, selection, goal)
        return replace(shown, tokens_full=focused.tokens_full, seconds=focused.seconds)

    def _vetted_page(self, tree: AxTree, goal: str) -> AxTree:
        """The page as the retriever may read it: what the defence withholds by itself is not for its eyes either, since
        it can be talked to as well. Line for line the page as received."""
        if not self.defence:
            return tree
        texts = dict(self.defence.vet(tree, goal, LineRanges()).texts)
        texts |= {number: tree.form.gap(tree.line(number).depth, "unread") for number in tree.unread}
        return tree.replaced(texts) if texts else tree

    def _simplified(self, page: AxTree) -> Simplified | None:
        """The page as the retriever numbers it; without simplification what belongs together still is one line."""
        if self.simplify:
            return simplify(page)
        return simplify(page, ()) if page.owners else None

    def _skip(self, tree: AxTree, tokens: int) -> Skip | None:
        if self.defence or not self.skip_below:
            return None
        if nothing_to_choose(tree):
            return Skip.EMPTY_PAGE
        return Skip.SMALL_PAGE if tokens < self.skip_below else None

    def _select(self, query: Query) -> Selection:
        if nothing_to_choose(query.tree):
            return Selection(LineRanges.all(len(query.tree)), skipped=Skip.EMPTY_PAGE)
        try:
            selection = checked(self.retriever.select(query), len(query.tree))
        except Exception as error:
            return Selection(LineRanges(), f"{type(error).__name__}: {error}"[:2000], fallback=Fallback.ERROR)
        if not selection.ranges and selection.fallback is None and not selection.text:
            return replace(selection, fallback=Fallback.NOTHING_VALID)
        return self._with_company(selection, query)

    def _with_company(self, selection: Selection, query: Query) -> Selection:
        """The selection with what the settings keep beside it. A selection that is a text of its own stays as it is."""
        if selection.fallback or selection.text is not None:
            return selection
        beside = text_below(query.tree, selection.ranges) if self.keep_text else LineRanges()
        if self.keep_live:
            beside = beside.union(live_lines(query))
        return replace(selection, ranges=selection.ranges.union(beside.difference(selection.flagged)))

    def _show(self, tree: AxTree, simplified: Simplified | None, selection: Selection, goal: str) -> Focused:
        if selection.fallback and not selection.unread:
            return as_received(tree, selection)
        if selection.text and not selection.fallback:
            tokens, removed = count_tokens(selection.text), selection.ranges.complement(len(tree))
            return Focused(selection.text, selection.ranges, LineRanges(), 0, tokens, selection, tree, removed)
        ranges = selection.ranges.union(selection.unread)
        texts = _texts(tree, simplified, selection)
        pruned = self._prune(tree, ranges, texts, _dropped(tree, simplified, ranges))
        # A mark may be longer than the line it stands for: the authors of those formats then show the page as it is.
        if self.keep.endswith("-marked") and count_tokens(pruned.text) >= count_tokens(tree.text):
            return as_received(tree, selection)
        return Focused(
            pruned.text, pruned.kept, LineRanges(), 0, count_page(pruned.text), selection, tree, pruned.removed
        )

    def _show_vetted(self, tree: AxTree, simplified: Simplified | None, selection: Selection, goal: str) -> Focused:
        assert self.defence is not None
        everything = LineRanges.all(len(tree))
        unread = (selection.unread or everything) if selection.fallback else LineRanges()
        texts = _texts(tree, simplified, selection)
        vetted = self._vet(tree, goal, selection, texts)
        bare = {n: skeleton_of(tree, tree.line(n)) for n in unread if tree.line(n).bid or n in tree.fixed}
        texts |= bare
        texts |= vetted.texts
        withheld = vetted.lines.union(LineRanges.of_numbers(bare)).union(tree.unread)
        stays = LineRanges.of_numbers(n for n in withheld if tree.line(n).bid or n in tree.fixed)
        ranges = selection.ranges.difference(unread).union(stays).difference(withheld.difference(stays))
        pruned = self._prune(tree, ranges, texts, _dropped(tree, simplified, ranges))
        text = f"{tree.form.gap(0, vetted.note)}\n{pruned.text}" if vetted.note else pruned.text
        return Focused(
            text,
            pruned.kept,
            vetted.lines.union(unread).union(tree.unread),
            0,
            count_page(text),
            selection,
            tree,
            pruned.removed,
            note=" ".join(filter(None, (vetted.note, _unreadable(tree)))),
            reasons=vetted.reasons,
        )

    def _vet(self, tree: AxTree, goal: str, selection: Selection, texts: Mapping[int, str]) -> Vetted:
        """What the defence says of the page, and of its excerpts: an attack may be plain in a part only."""
        assert self.defence is not None
        vetted = self.defence.vet(tree, goal, selection.flagged)
        if not selection.spans:
            return vetted
        cut = tree.replaced({number: texts[number] for number in selection.spans})
        parts = self.defence.vet(cut, goal, selection.flagged)
        reasons = {**(parts.reasons or {}), **(vetted.reasons or {})}
        return replace(
            vetted, texts={**parts.texts, **vetted.texts}, lines=vetted.lines.union(parts.lines), reasons=reasons
        )

    def _prune(self, tree: AxTree, ranges: LineRanges, texts: Mapping[int, str], dropped: LineRanges) -> Pruned:
        pruned = prune(tree, ranges, self.keep, texts=texts, dropped=dropped)
        if not self.name_hidden:
            return pruned
        notes = notes_on(tree, pruned.removed, with_names=self.defence is None)
        return prune(tree, ranges, self.keep, texts=texts, dropped=dropped, notes=notes)


def _dropped(tree: AxTree, simplified: Simplified | None, ranges: LineRanges) -> LineRanges:
    """Lines that are not shown by themselves and leave no placeholder of their own."""
    if simplified is None:
        return LineRanges()
    return simplified.dropped.difference(ranges).union(LineRanges.of_numbers(tree.owners))


def _unreadable(tree: AxTree) -> str:
    return f"Note: what could not be read is withheld (lines: {tree.unread.count})." if tree.unread else ""


def _texts(tree: AxTree, simplified: Simplified | None, selection: Selection) -> dict[int, str]:
    """What is shown of lines that are not shown as received: shortened, or an excerpt."""
    texts = dict(simplified.texts()) if simplified else {}
    for number, spans in selection.spans.items():
        texts[number] = excerpt(texts.get(number, tree.line(number).text), spans)
    return texts


def focus(
    axtree_text: str,
    goal: str,
    retriever: str | Retriever = "local",
    defense: bool = False,
    *,
    dialect: str = "auto",
    **retriever_kwargs: Any,
) -> Focused:
    """Focus one page in one call, without AgentLab. `retriever` is a name of RETRIEVERS, a dotted path or an object;
    `dialect` how the text is written (see docs/dialects.md), found out where it is "auto".

    Text that is no tree comes back whole, which `note` says. With `defense`, detection and sanitising are on, failures
    show bids and roles only, and what cannot be read is withheld.
    Raises UnknownRetriever for a name that is none, ValueError for a dialect that is none."""
    chosen = make_retriever(retriever, **retriever_kwargs) if isinstance(retriever, str) else retriever
    defence = make_defence() if defense else None
    return Focuser(chosen, skip_below=0, defence=defence, dialect=dialect).focus(axtree_text, goal)


def make_defence(**kwargs: Any) -> Defence:
    """Detection and sanitising in place, without a model."""
    from focusagent.security.defence import TextDefence

    defence: Defence = TextDefence(**kwargs)
    return defence
