"""The sandbox on Playwright's asynchronous API."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from playwright.async_api import BrowserContext, CDPSession, Error, Page

from focusagent.security.sandbox.events import PATTERNS
from focusagent.security.sandbox.page_script import SCRIPT, TELL, csp_script
from focusagent.security.sandbox.supported import supported

if TYPE_CHECKING:
    from focusagent.security.sandbox.box import Exchange, Sandbox


async def install(box: Sandbox, context: BrowserContext) -> None:
    """Raises ValueError for a context that cannot be held."""
    browser = supported(context)
    session = await browser.new_browser_cdp_session()
    box.belongs_to(await _context_id(context), lambda: len(browser.contexts) == 1)

    async def paused(event: dict[str, Any]) -> None:
        await _run(session, box.paused(event))

    async def closed(_: BrowserContext) -> None:
        with suppress(Error):
            await session.detach()

    session.on("Fetch.requestPaused", paused)
    await session.send("Fetch.enable", {"patterns": PATTERNS})
    context.on("close", closed)
    await context.expose_binding(TELL, lambda _, what, text: box.told(str(what), str(text)))
    await context.add_init_script(SCRIPT)
    await context.add_init_script(csp_script(box.csp()))
    context.on("page", lambda page: _watch(box, page))
    for page in context.pages:
        _watch(box, page)
        if page.url != "about:blank":
            await page.reload()


async def _context_id(context: BrowserContext) -> str:
    """DevTools' name of the context; a page has to be open to ask for it."""
    open_page = context.pages[0] if context.pages else None
    page = open_page or await context.new_page()
    session = await context.new_cdp_session(page)
    answer = await session.send("Target.getTargetInfo")
    await session.detach()
    if open_page is None:
        await page.close()
    return str(answer["targetInfo"].get("browserContextId") or "")


async def _run(session: CDPSession, exchange: Exchange) -> None:
    """Make the calls. A call that fails (the tab has closed, the request is gone) answers None."""
    answer: dict[str, Any] | None = None
    with suppress(StopIteration):
        command = next(exchange)
        while True:
            try:
                answer = await session.send(command.method, command.params)
            except Error:
                answer = None
            command = exchange.send(answer)


def _watch(box: Sandbox, page: Page) -> None:
    """The second line: a tab that shows what no request has told is sent back, or closed if it is a pop-up."""

    async def arrived(frame: Any) -> None:
        if frame.parent_frame is not None or box.may_stay(frame.url):
            return
        with suppress(Error):
            if await page.opener() is not None:
                await page.close()
            elif await page.go_back(wait_until="commit") is None:
                await page.goto("about:blank")

    page.on("framenavigated", arrived)
