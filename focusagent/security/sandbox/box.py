"""The sandbox of one browser context: judges what Chromium is about to send, and answers for it.

One DevTools session of the whole browser sees the requests of every tab, pop-up, frame and worker before they leave,
and a redirect's target as a request of its own, which Playwright's `route` does not."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import replace
from typing import Any

from focusagent.security.sandbox.events import (
    Command,
    header,
    is_download,
    is_xml,
    refuse,
    request_of,
    with_csp,
    worker_with_csp,
)
from focusagent.security.sandbox.judge import (
    BROKEN,
    ELSEWHERE,
    NO_PAGE,
    OTHER_SITE,
    Request,
    Verdict,
    bare,
    blocked,
    judge,
)
from focusagent.security.sandbox.maps import Effect
from focusagent.security.sandbox.policy import Blocked, Kind, Policy
from focusagent.security.sandbox.sites import site_of
from focusagent.security.sandbox.typed import Typed

MAX_TOLD = 1000  # records of what pages say was refused: they could say it without end
# A DevTools call to be made; what comes back is its answer, or None where the browser has refused it.
Exchange = Generator[Command, dict[str, Any] | None, None]


class Sandbox:
    """Holds one context to a policy. One sandbox serves one context; install it before the first page is opened.

    With Playwright's synchronous API, requests wait while the program is outside of Playwright, as with its `route`."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.blocked: list[Blocked] = []
        self.reads = 0  # requests that were let through and change nothing on the task's sites
        self.writes = 0  # requests that were let through and may have changed something there
        self.waiting = 0  # requests that have no answer yet
        self.learnt: dict[str, None] = {}  # sites of documents that were opened while it learnt, in order
        self._learning = False
        self._typed = Typed()
        self._report = f"/.well-known/{secrets.token_hex(8)}"
        self._context_id = ""
        self._frames: dict[str, tuple[bool, str]] = {}  # frame -> whether it is a tab itself, and the tab's context
        self._alone: Callable[[], bool] = lambda: True  # whether the browser has no other context

    def learn(self) -> None:
        """Let everything through and write down the sites that are opened (`learnt`), until `hold` is called: while a
        task is set up, nobody acts on what pages say."""
        self._learning = True

    def hold(self, policy: Policy) -> None:
        """From here on, this policy holds."""
        self.policy, self._learning = policy, False
        self.blocked.clear()
        self.reads = self.writes = 0

    @property
    def permitted(self) -> tuple[Effect, ...]:
        """The effects that may happen under `writes="goal"`."""
        return self.policy.effects

    def type(self, text: str) -> None:
        """Tell the sandbox of text that is about to be typed, so that it knows it when it leaves."""
        self._typed.add(text)

    def install(self, context: Any) -> None:
        """Hold a context of Playwright's synchronous API to the policy. Pages that are open are loaded anew.

        Raises ValueError for a browser other than Chromium and for a persistent context."""
        from focusagent.security.sandbox.playwright_sync import install

        install(self, context)

    async def install_async(self, context: Any) -> None:
        """The same for Playwright's asynchronous API."""
        from focusagent.security.sandbox.playwright_async import install

        await install(self, context)

    def belongs_to(self, context_id: str, alone: Callable[[], bool]) -> None:
        """For the adapters: DevTools' name of the context, and whether the browser has no other at the moment."""
        self._context_id, self._alone = context_id, alone

    def judged(self, request: Request) -> Verdict:
        """Judge and record. A judge that raises refuses."""
        if self._learning:
            if request.kind == "document" and (site := site_of(request.url)):
                self.learnt[str(site)] = None
            return Verdict(True)
        try:
            verdict = judge(request, self.policy, self._typed)
            if verdict.reason == OTHER_SITE and self._user_allows(request, verdict):
                verdict = judge(request, self.policy, self._typed)
        except Exception:  # whatever is wrong with the judge, nothing may leave for it
            verdict = Verdict(False, BROKEN)
        if not verdict.allowed:
            self.blocked.append(blocked(request, verdict))
        elif verdict.write:
            self.writes += 1
        else:
            self.reads += 1
        return verdict

    def refused(self, method: str, url: str, kind: Kind, reason: str) -> None:
        """Record what was refused elsewhere than at a request."""
        self.blocked.append(Blocked(method, bare(url) if url else "", kind, "", reason))

    def _user_allows(self, request: Request, verdict: Verdict) -> bool:
        """Ask the user; a yes opens that site for the rest of the sandbox's life."""
        if self.policy.ask is None or not self.policy.ask(blocked(request, verdict)):
            return False
        self.policy = replace(self.policy, sites=(*self.policy.sites, str(site_of(request.url))))
        return True

    # ---- what the browser says, answered step by step; run by the two adapters

    def paused(self, event: dict[str, Any]) -> Exchange:
        """Answer one `Fetch.requestPaused`."""
        self.waiting += 1
        try:
            if "responseStatusCode" in event or "responseErrorReason" in event:
                yield from self._answered(event)
            else:
                yield from self._asked(event)
        finally:
            self.waiting -= 1

    def _asked(self, event: dict[str, Any]) -> Exchange:
        request_id, url = event["requestId"], str(event["request"]["url"])
        main, context = True, ""
        if event.get("resourceType") == "Document" or not self._alone():
            main, context = yield from self._place(str(event.get("frameId") or ""))
        if not self._alone() and context not in ("", self._context_id):
            yield Command("Fetch.continueRequest", {"requestId": request_id})
            return
        if site_of(url) and url.partition("?")[0].endswith(self._report):
            self._read_report(event)
            yield Command("Fetch.fulfillRequest", {"requestId": request_id, "responseCode": 204})
            return
        kind: Kind = "part"
        if event.get("resourceType") == "Document":
            kind = "document" if main else "frame"
        verdict = self.judged(request_of(event, kind))
        if verdict.allowed:
            yield Command("Fetch.continueRequest", {"requestId": request_id})
            return
        yield refuse(request_id, kind)
        if kind == "document":
            yield from self._close_empty(str(event.get("frameId") or ""))

    def _close_empty(self, tab: str) -> Exchange:
        """A pop-up whose first page was refused has nothing to show."""
        answer = yield Command("Target.getTargetInfo", {"targetId": tab})
        target = answer["targetInfo"] if answer else {}
        if target.get("openerId") and target.get("url") in ("", "about:blank"):
            yield Command("Target.closeTarget", {"targetId": tab})

    def _place(self, frame: str) -> Generator[Command, dict[str, Any] | None, tuple[bool, str]]:
        """Whether the frame is a tab, and of which context ("" where that cannot be told: the request is judged then).

        Tabs and frames of other processes are targets, by the same id; what is no target is a frame within a page."""
        if frame not in self._frames:
            answer = yield Command("Target.getTargetInfo", {"targetId": frame})
            if answer is None:
                return False, ""
            target = answer["targetInfo"]
            self._frames[frame] = target["type"] != "iframe", str(target.get("browserContextId") or "")
        return self._frames[frame]

    def _answered(self, event: dict[str, Any]) -> Exchange:
        """An answer came: a worker and an XML page get our Content-Security-Policy with it (HTML gets it by script)."""
        request_id, url = event["requestId"], str(event["request"]["url"])
        go_on = Command("Fetch.continueRequest", {"requestId": request_id})
        if "responseErrorReason" in event or not self._is_ours(event):
            yield go_on
        elif event.get("resourceType") == "Other":
            script = "javascript" in header(event, "content-type")
            yield worker_with_csp(event, self._reported_csp()) if script else go_on
        elif is_download(event) and not self.policy.on_sites(site_of(url)):
            self.refused("GET", url, "download", OTHER_SITE)
            yield Command("Fetch.failRequest", {"requestId": request_id, "errorReason": "BlockedByClient"})
        elif is_xml(event):
            body = yield Command("Fetch.getResponseBody", {"requestId": request_id})
            yield with_csp(event, self._reported_csp(), body) if body is not None else refuse(request_id, "document")
        else:
            yield go_on

    def _is_ours(self, event: dict[str, Any]) -> bool:
        known = self._frames.get(str(event.get("frameId") or ""), (True, ""))
        return self._alone() or known[1] in ("", self._context_id)

    def csp(self) -> str:
        """Pages and workers may open WebSockets to the task's sites only. What a socket says cannot be judged: where
        every change has to be named, none may be opened."""
        named = self.policy.writes == "goal" and self.policy.unlisted == "refuse"
        sites = () if named or self.policy.writes == "none" else self.policy.origins
        sockets = " ".join(f"{scheme}://{str(site).rpartition('//')[2]}" for site in sites for scheme in ("ws", "wss"))
        own = "'self'" if self._learning else ""
        return f"connect-src http: https: data: blob: {sockets or own}".strip()

    def told(self, what: str, text: str) -> None:
        """For the adapters: what the script in a page has told. It is a page's word, and can only have more refused."""
        if what == "typed":
            self.type(text)
        elif len(self.blocked) < MAX_TOLD:
            self.refused("GET", text, "websocket", ELSEWHERE)

    def _reported_csp(self) -> str:
        return f"{self.csp()}; report-uri {self._report}"

    def _read_report(self, event: dict[str, Any]) -> None:
        """A connection that the Content-Security-Policy has stopped. What the report says is a page's word: it is
        recorded, and decides nothing."""
        with suppress(Exception):
            body = request_of(event, "part").body or b"{}"
            self.told("socket", str(json.loads(body)["csp-report"]["blocked-uri"]))

    # ---- the second line: what no request tells

    def may_stay(self, url: str) -> bool:
        """Whether a tab may show this address: `data:` and `blob:` pages make no request."""
        lower = url.lower()
        if lower in ("", "about:blank") or lower.startswith(("chrome-error:", "about:srcdoc")):
            return True
        if self._learning or self.policy.on_sites(site_of(url)):
            return True
        self.refused("GET", url, "document", OTHER_SITE if site_of(url) else NO_PAGE)
        return False
