"""A tool's answer, its pages focused. Without a defence every failure passes the answer on; with one it withholds."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from focusagent.axtree import AxTree, LineRanges
from focusagent.focused import Focused
from focusagent.focuser import Focuser, make_defence
from focusagent.mcp.changes import only_changes
from focusagent.mcp.ledger import Entry
from focusagent.mcp.linked import linked_path, read_linked, without_links
from focusagent.mcp.memory import Memory, Page
from focusagent.mcp.settings import Settings
from focusagent.mcp.tools import shows_whole
from focusagent.models.tokens import count_tokens
from focusagent.retrieval import make_retriever
from focusagent.retrieval.controls import All, FirstTokens

INLINE_TOKENS = 2_000
MIN_ELEMENTS = 3
_URL = re.compile(r'^(?:- Page URL: (\S+)|\s*uid=\S+ RootWebArea.*? url="([^"]*)")', re.MULTILINE)


@dataclass(frozen=True)
class Asked:
    """The call that an answer belongs to."""

    tool: str = ""
    wanted: str | None = None
    """What the call itself said it is looking for."""
    tab: str = ""
    """The tab that the call names, where the server has it named."""
    started: float = 0.0
    """Seconds since the epoch."""


class Answers:
    """Rewrites answers one after the other; holds what is remembered of the pages."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.memory = Memory()
        self.roots: list[Path] = [Path.cwd()]
        self.wanted = settings.goal
        self.defence = make_defence() if settings.defense else None
        options: dict[str, Any] = {"share": settings.share} if settings.share else {}
        chosen = make_retriever("local-lean" if settings.lean else "local", **options)
        self._focused = Focuser(chosen, defence=self.defence, name_hidden=True)
        self._simplified = Focuser(All(), defence=self.defence, name_hidden=True)
        # For linked pages over INLINE_TOKENS; budgets leave room for context and placeholders, smaller ones follow.
        self._capped = [
            Focuser(make_retriever("local", tokens=tokens), defence=self.defence, name_hidden=True)
            for tokens in (INLINE_TOKENS * 3 // 4, INLINE_TOKENS // 3)
        ]
        self._head = Focuser(FirstTokens(INLINE_TOKENS * 3 // 4), skip_below=0, defence=self.defence, name_hidden=True)
        self.plain = Focuser(All(), simplify=False, skip_below=0, defence=self.defence, name_hidden=True)

    def warm_up(self) -> None:
        """Load what the first page would wait for: the encoding and the retriever's data."""
        self._focused.focus("RootWebArea 'x'\n" + "\t[1] link 'one two three'\n" * 100, "two")

    def rewrite(self, result: dict[str, Any], asked: Asked) -> tuple[dict[str, Any], Entry]:
        """The result to pass on and what was done. Never raises; the result given is not changed."""
        begun = time.perf_counter()
        before = _tokens(result)
        if asked.wanted:
            self.wanted = asked.wanted
        try:
            changed, kind, fallback = self._rewritten(result, asked)
        except Exception as error:
            changed, kind, fallback = result, "other", type(error).__name__
            if self.defence:
                changed, kind = _withheld(result, f"it could not be vetted ({fallback})"), "withheld"
        seconds = time.perf_counter() - begun
        return changed, Entry(asked.tool, kind, before, _tokens(changed), round(1_000 * seconds, 1), fallback)

    def _rewritten(self, result: dict[str, Any], asked: Asked) -> tuple[dict[str, Any], str, str | None]:
        content = result.get("content")
        if not isinstance(content, list) or (result.get("isError") and not self.defence):
            return result, "other", None
        items: list[Any] = []
        kind, fallback = "other", None
        for item in content:
            text = item.get("text") if isinstance(item, dict) and item.get("type") == "text" else None
            if not isinstance(text, str):
                items.append(self._unread(item) if self.defence else item)
                continue
            shown, what, why = self._text(text, asked)
            items.append({**item, "text": shown})
            kind, fallback = what if what != "other" else kind, why or fallback
            if beside := self._linked(text, asked):
                items.append({"type": "text", "text": beside})
                kind = "linked"
        changed = {**result, "content": items}
        if self.defence and changed.pop("structuredContent", None) is not None:
            items.append({"type": "text", "text": "(structured content is withheld: it cannot be vetted)"})
        return (changed if items != content or len(changed) != len(result) else result), kind, fallback

    def _unread(self, item: Any) -> dict[str, Any]:
        kind = str(item.get("type", "content"))[:20] if isinstance(item, dict) else "content"
        return {"type": "text", "text": f"({kind} is withheld: --defense cannot read it)"}

    def _text(self, text: str, asked: Asked) -> tuple[str, str, str | None]:
        """One text of an answer as it is shown, what it was, and what failed."""
        tree = AxTree.parse(text)
        if not is_page(tree):
            return (self._vetted_prose(text) if self.defence else text), "other", None
        focused = (self._focused if self.wanted else self._simplified).focus(text, self.wanted)
        if changes := self._changes(focused, address(text, tree), asked):
            return changes, "changes", None
        fallback = focused.selection.fallback
        shown = without_links(focused.text) if self.defence else focused.text
        return shown, "page", str(fallback) if fallback else None

    def _changes(self, focused: Focused, url: str, asked: Asked) -> str:
        """Remember the page. What changed on it since it was last shown, or "" where the page itself is to be shown."""
        key = f"{asked.tab} {url}"
        before = self.memory.of(key)
        self.memory.keep(Page(key, focused, self.wanted))
        if before is None or before.wanted != self.wanted or focused.selection.fallback or shows_whole(asked.tool):
            return ""
        return only_changes(self.plain, before, focused, self.wanted) or ""

    def _linked(self, text: str, asked: Asked) -> str:
        """The page of the file that the answer links to, within INLINE_TOKENS; "" where there is none to show."""
        path = linked_path(text) if self.settings.inline else ""
        snapshot = read_linked(path, self.roots, asked.started) if path else ""
        tree = AxTree.parse(snapshot)
        if not snapshot or not is_page(tree):
            return ""
        focused = self._within_cap(snapshot)
        if focused is None:
            return ""
        if changes := self._changes(focused, address(text, tree), asked):
            return changes
        return f"### Page in that snapshot\n```yaml\n{focused.text}\n```"

    def _within_cap(self, snapshot: str) -> Focused | None:
        """The page in at most INLINE_TOKENS; None where even its head is longer."""
        for focuser in (self._focused, *self._capped) if self.wanted else (self._simplified,):
            focused = focuser.focus(snapshot, self.wanted)
            if focused.tokens_pruned <= INLINE_TOKENS:
                return focused
        focused = self._head.focus(snapshot, self.wanted)
        return focused if focused.tokens_pruned <= INLINE_TOKENS else None

    def _vetted_prose(self, text: str) -> str:
        """Text that is no page, vetted line by line; files that it links to are not named."""
        assert self.defence is not None
        tree = AxTree.parse(without_links(text), "browsergym")
        texts = self.defence.vet(tree, self.wanted, LineRanges()).texts
        return "\n".join(texts.get(line.number, line.text) for line in tree.lines)


def is_page(tree: AxTree) -> bool:
    """Whether the text is a snapshot: a tree, some of whose elements can be acted on."""
    return not tree.doubt and sum(1 for line in tree.lines if line.bid) >= MIN_ELEMENTS


def address(text: str, tree: AxTree) -> str:
    """The page's address as its answer tells it, else its root line."""
    found = _URL.search(text)
    return (found[1] or found[2]) if found else tree.line(tree.root).text[:500]


def _withheld(result: dict[str, Any], why: str) -> dict[str, Any]:
    return {
        "content": [{"type": "text", "text": f"(the answer is withheld: {why})"}],
        "isError": bool(result.get("isError")),
    }


def _tokens(result: dict[str, Any]) -> int:
    content = result.get("content")
    texts = [item.get("text") for item in content if isinstance(item, dict)] if isinstance(content, list) else []
    return sum(count_tokens(text) for text in texts if isinstance(text, str))
