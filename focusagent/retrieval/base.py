"""The retriever's contract: a Query goes in, a Selection of lines comes out. No AgentLab, no model client."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from focusagent.axtree import AxTree, LineRanges
from focusagent.axtree.excerpt import Span
from focusagent.models.call import Call


class Fallback(StrEnum):
    """Why a retriever could not choose. Benign agents then show the whole page, defence agents bids and roles."""

    REFUSED = "refused"
    RATE_LIMITED = "rate_limited"
    TIMEOUT = "timeout"
    CONTEXT_LENGTH = "context_length"
    AUTH = "auth"
    SERVER_ERROR = "server_error"
    CONNECTION = "connection"
    BAD_REQUEST = "bad_request"
    EMPTY_ANSWER = "empty_answer"
    UNREADABLE = "unreadable"
    NOTHING_VALID = "nothing_valid"
    CALL_CAP = "call_cap"
    ERROR = "error"
    UNVETTED = "unvetted"


class Skip(StrEnum):
    """Why no retriever was asked."""

    SMALL_PAGE = "small_page"
    EMPTY_PAGE = "empty_page"
    NO_TREE = "no_tree"


@dataclass(frozen=True)
class Query:
    """What a retriever may know. `history` is (thought, action) of each past step, oldest first; `within` limits the
    lines to choose from; `screenshot` is an RGB array of height x width x 3."""

    goal: str
    tree: AxTree
    history: tuple[tuple[str, str], ...] = ()
    last_action: str = ""
    last_action_error: str = ""
    focused_bid: str = ""
    tabs: tuple[str, ...] = ()
    screenshot: Any = None
    within: LineRanges | None = None


@dataclass(frozen=True)
class Selection:
    """The lines to keep, as numbers of `Query.tree`. `why` explains single lines; `flagged` are attacks that the
    retriever saw; `unread` are lines that no one looked at although `fallback` speaks of a part only; `spans` are
    the parts to show of a line that is not shown whole (see `excerpt`); `notes` say what
    was mended in an answer. `text`, where it is set, is the observation itself, in place of the kept lines (chunks that
    cut lines); `ranges` are then the lines that stand whole in it."""

    ranges: LineRanges
    reasoning: str = ""
    why: Mapping[int, str] = field(default_factory=dict)
    confidence: float | None = None
    flagged: LineRanges = LineRanges()
    reused: LineRanges = LineRanges()
    fallback: Fallback | None = None
    skipped: Skip | None = None
    calls: tuple[Call, ...] = ()
    unread: LineRanges = LineRanges()
    notes: tuple[str, ...] = ()
    spans: Mapping[int, tuple[Span, ...]] = field(default_factory=dict)
    text: str | None = None


def nothing_to_choose(tree: AxTree) -> bool:
    """Whether a page holds no name, no element and no text: there is nothing that a retriever could be asked."""
    return not any(line.name.strip() or line.bid or _says_something(line.text) for line in tree.lines)


def _says_something(text: str) -> bool:
    """Whether a line that quotes no name holds more than its role."""
    return "'" not in text and '"' not in text and len(text.split()) > 1


class Retriever(Protocol):
    def select(self, query: Query) -> Selection: ...
