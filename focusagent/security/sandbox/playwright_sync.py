"""The sandbox on Playwright's synchronous API."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from playwright.sync_api import BrowserContext, CDPSession, Error, Page

from focusagent.security.sandbox.events import PATTERNS
from focusagent.security.sandbox.page_script import SCRIPT, TELL, csp_script
from focusagent.security.sandbox.supported import supported

if TYPE_CHECKING:
    from focusagent.security.sandbox.box import Exchange, Sandbox


def install(box: Sandbox, context: BrowserContext) -> None:
    """Raises ValueError for a context that cannot be held."""
    browser = supported(context)
    session = browser.new_browser_cdp_session()
    box.belongs_to(_context_id(context), lambda: len(browser.contexts) == 1)
    session.on("Fetch.requestPaused", lambda event: _run(session, box.paused(event)))
    session.send("Fetch.enable", {"patterns": PATTERNS})
    context.on("close", lambda _: _detach(session))
    context.expose_binding(TELL, lambda _, what, text: box.told(str(what), str(text)))
    context.add_init_script(SCRIPT)
    context.add_init_script(csp_script(box.csp()))
    context.on("page", lambda page: _watch(box, page))
    for page in context.pages:
        _watch(box, page)
        if page.url != "about:blank":
            page.reload()


def hold(box: Sandbox, context: BrowserContext) -> None:
    """After a sandbox has got its final policy: pages that open from now on are held to its sockets, too."""
    context.add_init_script(csp_script(box.csp()))


def _context_id(context: BrowserContext) -> str:
    """DevTools' name of the context; a page has to be open to ask for it."""
    open_page = context.pages[0] if context.pages else None
    page = open_page or context.new_page()
    session = context.new_cdp_session(page)
    answer = session.send("Target.getTargetInfo")
    session.detach()
    if open_page is None:
        page.close()
    return str(answer["targetInfo"].get("browserContextId") or "")


def _run(session: CDPSession, exchange: Exchange) -> None:
    """Make the calls. A call that fails (the tab has closed, the request is gone) answers None."""
    answer: dict[str, Any] | None = None
    with suppress(StopIteration):
        command = next(exchange)
        while True:
            try:
                answer = session.send(command.method, command.params)
            except Error:
                answer = None
            command = exchange.send(answer)


def _detach(session: CDPSession) -> None:
    with suppress(Error):
        session.detach()


def _watch(box: Sandbox, page: Page) -> None:
    """The second line: a tab that shows what no request has told is sent back, or closed if it is a pop-up."""

    def arrived(frame: Any) -> None:
        if frame.parent_frame is not None or box.may_stay(frame.url):
            return
        with suppress(Error):
            if page.opener() is not None:
                page.close()
            elif page.go_back(wait_until="commit") is None:
                page.goto("about:blank")

    page.on("framenavigated", arrived)
