"""`focusagent prune`: one page through the pipeline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from focusagent.axtree import KEEPS, Keep
from focusagent.errors import UserError
from focusagent.focused import Focused
from focusagent.focuser import Focuser, make_defence
from focusagent.page import read_page
from focusagent.retrieval import RETRIEVERS, Retriever, UnknownRetriever, make_retriever
from focusagent.retrieval.llm.prompting import STRATEGIES

TAKES_MODEL = ("llm", "local+llm")


@dataclass(frozen=True)
class Settings:
    goal: str
    retriever: str = "local"
    model: str = ""
    simplify: bool = True
    strategy: str = "soft"
    keep: str = "nothing"
    defense: bool = False


@dataclass(frozen=True)
class PruneResult:
    """What the command prints; `page_note` says how far the page could be read."""

    focused: Focused
    page_note: str = ""

    @property
    def text(self) -> str:
        return self.focused.text

    @property
    def note(self) -> str:
        """What a reader should know besides, such as that the text is no tree; mostly ""."""
        return "; ".join(filter(None, (self.page_note, self.focused.note)))

    @property
    def summary(self) -> str:
        focused, fallback = self.focused, self.focused.selection.fallback
        kept = f"kept {focused.ranges.count} of {len(focused.tree)} lines"
        tokens = f"{focused.tokens_pruned} of {focused.tokens_full} tokens ({focused.pruning:.1%} pruned)"
        withheld = f", text of {focused.flagged.count} lines withheld" if focused.flagged else ""
        why = f"; fallback: {fallback} ({focused.selection.reasoning[:200]})" if fallback else ""
        return " ".join(f"{kept}, {tokens}{withheld}{why}".split())

    def as_json(self) -> dict[str, Any]:
        focused = self.focused
        return {
            "tokens_full": focused.tokens_full,
            "tokens_pruned": focused.tokens_pruned,
            "pruning": round(focused.pruning, 4),
            "ranges": [list(pair) for pair in focused.ranges.pairs],
            "fallback": str(focused.selection.fallback) if focused.selection.fallback else None,
            "flagged": list(focused.flagged),
            "dialect": focused.tree.dialect,
            "note": self.note,
            "text": focused.text,
        }


def run_prune(page: str, settings: Settings) -> PruneResult:
    """Read the page and focus it. Raises UserError for whatever cannot work."""
    if not settings.goal.strip():
        raise UserError("--goal is empty: say what the agent is to do on the page", 2)
    for value, known, option in ((settings.keep, KEEPS, "keep"), (settings.strategy, STRATEGIES, "strategy")):
        if value not in known:
            raise UserError(f"--{option} must be one of {', '.join(known)}, not {value!r}", 2)
    retriever = _retriever(settings)
    read = read_page(page, mask=settings.defense)
    focuser = Focuser(
        retriever,
        simplify=settings.simplify,
        keep=cast(Keep, settings.keep),
        skip_below=0,
        defence=make_defence(in_forms=read.in_forms) if settings.defense else None,
    )
    return PruneResult(focuser.focus(read.text, settings.goal), read.note)


def _retriever(settings: Settings) -> Retriever:
    kwargs: dict[str, Any] = {}
    if settings.retriever in TAKES_MODEL:
        if not settings.model:
            raise UserError(f"--retriever {settings.retriever} needs --model NAME", 2)
        kwargs = {"model_args": settings.model, "strategy": settings.strategy}
    elif settings.retriever.startswith("embedding-") and settings.model:
        kwargs = {"model": settings.model}
    try:
        return make_retriever(settings.retriever, **kwargs)
    except UnknownRetriever as error:
        raise UserError(str(error), 2) from error
    except TypeError as error:
        known = ", ".join(RETRIEVERS)
        raise UserError(f"retriever {settings.retriever!r} cannot be made: {error}; known: {known}", 2) from error
