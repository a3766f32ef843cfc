"""Refuse navigation out of the task's own sites before it happens.

Text rules can be talked around; an address cannot. Allowed are the origins of the start page and of addresses in the
goal, those the user lists, and those that a click on vetted elements has led to since."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from focusagent.actions import Call, attempts, calls
from focusagent.axtree import AxTree
from focusagent.axtree.properties import properties
from focusagent.security.origins import Origin, origin_of, sites_named

CLICKS = frozenset(("click", "dblclick", "press"))
_RELATIVE = re.compile(r"(?:[#?]|/(?![/\\])|\.{1,2}/|[^:/\\]+/|[^:/\\]*$)")
_NO_PAGE = re.compile(r"(?:about:blank|javascript:|mailto:|tel:|sms:|#)", re.IGNORECASE)
_CARRIED = re.compile(r"(?:https?:[/\\]*|(?<==)[/\\]{2})[^\s&\"'<>]+", re.IGNORECASE)


@dataclass(frozen=True)
class Verdict:
    """Whether an action may run. `reason` is what the agent is told, without the refused address: it may be an
    attack's; `origin`, for the record, is what the action would have opened."""

    allowed: bool = True
    reason: str = ""
    origin: str = ""


class Gate:
    """The origins that one episode may visit. `allow` names further ones, as URLs or `host[:port]`."""

    def __init__(self, start_url: str = "", goal: str = "", allow: Iterable[str] = ()) -> None:
        given = {origin for url in (start_url, *allow) if (origin := origin_of(url))}
        self.origins: set[Origin] = given | sites_named(goal)

    def check(self, action: str, tree: AxTree | None = None, tabs: Sequence[str] = ()) -> Verdict:
        """Judge an action against the page it acts on (`tree`, as received) and the URLs of the open tabs.

        Never raises. What cannot be read is refused where it would navigate."""
        verdicts = (self._check_call(call, tree, tabs) for call in attempts(action))
        return next((verdict for verdict in verdicts if not verdict.allowed), Verdict())

    def learn(self, action: str, before: str, after: str, withheld: Iterable[str] = ()) -> bool:
        """Add the origin that a click has led to, from one allowed page, on an element (bid) whose text was not
        `withheld`; True where it is new. Pages that navigate by themselves teach nothing."""
        origin, suspects = origin_of(after), frozenset(withheld)
        vetted = any(call.name in CLICKS and call.argument(0, "bid") not in suspects for call in calls(action))
        if not vetted or origin is None or self._knows(origin) or not self._knows(origin_of(before)):
            return False
        self.origins.add(origin)
        return True

    def _knows(self, origin: Origin | None) -> bool:
        return origin is not None and any(origin.is_site(known) for known in self.origins)

    def _check_call(self, call: Call, tree: AxTree | None, tabs: Sequence[str]) -> Verdict:
        if call.name in ("goto", "new_tab"):
            url = call.argument(0, "url")
            if not call.readable or (call.name == "goto" and not url):
                return Verdict(False, f"Refused: the address of this {call.name} cannot be read.")
            return self._check_address(url) if url else Verdict()
        if call.name == "tab_focus":
            return self._check_link(_tab(call, tabs))
        if call.name in CLICKS and tree is not None:
            if not call.readable:
                return Verdict(False, f"Refused: this {call.name} cannot be read.")
            verdicts = map(self._check_link, _link_urls(tree, call.argument(0, "bid")))
            return next((verdict for verdict in verdicts if not verdict.allowed), Verdict())
        return Verdict()

    def _check_link(self, url: str) -> Verdict:
        return Verdict() if not url or _NO_PAGE.match(url) else self._check_address(url)

    def _check_address(self, url: str) -> Verdict:
        url = url.strip()
        if url.lower() == "about:blank":
            return Verdict()
        origin = origin_of(url)
        if origin is None and not _RELATIVE.match(url):
            return Verdict(False, "Refused: only plain http and https addresses may be opened.")
        for one in (origin, *_carried(url)):
            if one is not None and not self._knows(one):
                known = ", ".join(sorted(map(str, self.origins))) or "none"
                return Verdict(False, f"Refused: that address is not one of this task's sites ({known}).", str(one))
        return Verdict()


def _tab(call: Call, tabs: Sequence[str]) -> str:
    """URL of the tab that the action turns to, "" for one that there is not: BrowserGym indexes a list, so that -1 is
    the last tab and True the second."""
    index = call.named.get("index", call.positional[0] if call.positional else None)
    return tabs[index] if isinstance(index, int) and -len(tabs) <= index < len(tabs) else ""


def _link_urls(tree: AxTree, bid: str) -> list[str]:
    """Address of the link that is, or surrounds, the element, or of every link in it: a click may land on any."""
    number = tree.by_bid.get(bid, 0)
    if not number:
        return []
    around = [one for one in (number, *tree.ancestors(number)) if one and tree.line(one).role == "link"]
    first, last = tree.subtree(number)
    links = around[:1] or [one for one in range(first, last + 1) if tree.line(one).role == "link"]
    return [properties(tree.line(one)).get("url", "") for one in links]


def _carried(url: str) -> Iterator[Origin]:
    """Origins that an address carries behind its own: what an open redirect on an allowed site would open. A word
    behind two slashes is a path unless it looks like a host."""
    for match in _CARRIED.finditer(unquote(unquote(url)), 1):
        origin = origin_of(match[0])
        if origin and (match[0][:1] not in "/\\" or "." in origin.host or ":" in origin.host):
            yield origin
