"""The judge: may this request leave the browser? Pure but for what it remembers of typed text; it knows no browser."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from focusagent.security.sandbox.maps import Found
from focusagent.security.sandbox.policy import Blocked, Kind, Policy
from focusagent.security.sandbox.sites import Site, site_of
from focusagent.security.sandbox.typed import Typed

READS = frozenset(("GET", "HEAD", "OPTIONS"))

OTHER_SITE = "that address is not on one of this task's sites"
NO_PAGE = "only http and https pages may be opened"
READ_ONLY = "nothing may be changed in this task"
ELSEWHERE = "nothing may be sent to another site"
FOREIGN = "that belongs to another site's frame"
NOT_ASKED = "the goal does not ask for this change"
TYPED = "text that was typed here may not go to another site"
NOT_LOADED = "nothing may be loaded from another site"
WORKER = "service workers are off"
BROKEN = "the request could not be judged"


@dataclass(frozen=True)
class Request:
    """A request as the browser is about to send it; a redirect's target is a request of its own."""

    method: str  # upper case
    url: str  # absolute
    kind: Kind = "part"  # document: of a tab itself; frame: of a frame in it; part: everything that a page loads
    origin: str = ""  # the Origin header, "" where there is none
    body: bytes | None = b""  # None where there is one that could not be read
    content_type: str = ""


@dataclass(frozen=True)
class Verdict:
    """Whether the request may go."""

    allowed: bool
    reason: str = ""  # one of the sentences above; "" where it is allowed
    effect: str = ""  # what the site's map calls it, "" where no map names it
    write: bool = False  # whether it changes something on one of the task's sites


def judge(request: Request, policy: Policy, typed: Typed) -> Verdict:
    """Every rule of the sandbox, in order: schemes, other sites, writes."""
    site = site_of(request.url)
    if site is None:
        return _without_site(request, policy)
    if request.kind == "worker":
        return Verdict(False, WORKER)
    if not policy.on_sites(site):
        return _elsewhere(request, policy, typed)
    return _at_home(request, policy)


def _without_site(request: Request, policy: Policy) -> Verdict:
    """What is no http address. A page's own `data:` pictures and `blob:` scripts leave for nowhere."""
    scheme = request.url.partition(":")[0].lower()
    if request.kind == "document" and request.url.lower() != "about:blank":
        return Verdict(False, NO_PAGE)
    return Verdict(True) if scheme in ("about", "data", "blob") else Verdict(False, NO_PAGE)


def _elsewhere(request: Request, policy: Policy, typed: Typed) -> Verdict:
    if request.kind in ("document", "download"):
        return Verdict(False, OTHER_SITE)
    if request.method not in READS or request.kind == "websocket":
        return Verdict(False, ELSEWHERE)
    if policy.others == "none":
        return Verdict(False, NOT_LOADED)
    if typed.carried(request.url, request.body):
        return Verdict(False, TYPED)
    return Verdict(True)


def _at_home(request: Request, policy: Policy) -> Verdict:
    """On the task's sites: reads pass; writes by the policy, and only from the task's sites themselves."""
    found = _found(request, policy)
    entry = found.entry if found else None
    effects = entry.effects if entry else ()
    changes = request.method not in READS or request.kind == "websocket"
    if not effects and (not changes or (entry is not None and entry.read)):
        return Verdict(True)
    effect = next((name for name in effects if name in policy.permitted), effects[0] if effects else "")
    if request.origin and not policy.on_sites(site_of(request.origin)):
        return Verdict(False, FOREIGN, effect, True)
    if policy.writes == "none":
        return Verdict(False, READ_ONLY, effect, True)
    if policy.writes == "goal" and not _asked(effect, found, policy):
        return Verdict(False, NOT_ASKED, effect, True)
    return Verdict(True, "", effect, True)


def _asked(effect: str, found: Found | None, policy: Policy) -> bool:
    """Under `goal`: a mapped request by its effect and its texts; one at a mapped path with unknown fields never."""
    if found is None:
        return policy.unlisted == "allow"
    return effect in policy.permitted and found.said


def _found(request: Request, policy: Policy) -> Found | None:
    for site_map in policy.site_maps:
        found = site_map.find(request.method, request.url, request.body, request.content_type, policy.goal)
        if found is not None:
            return found
    return None


def blocked(request: Request, verdict: Verdict) -> Blocked:
    """The record of a refusal."""
    return Blocked(request.method, bare(request.url), request.kind, verdict.effect, verdict.reason)


def bare(url: str) -> str:
    """An address without user info, query and fragment; of one that is no http address its scheme alone."""
    site: Site | None = site_of(url)
    if site is None:
        return url.partition(":")[0][:20] + ":"
    return f"{site}{urlsplit(url).path}"
