"""One browser, the attacker's second origin and a site of ours, shared by the module's tests."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Error, Page
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from focusagent.longpage.server import SiteServer
from focusagent.security.attacks.effects import Step
from focusagent.security.attacks.owned import OwnedSite
from focusagent.security.attacks.recorder import Recorder

PAGE = "<!doctype html><title>Shop</title><body><h1>Shop</h1><p>Welcome.</p></body>"


async def page(_: Request) -> Response:
    return HTMLResponse(PAGE)


@dataclass
class Ground:
    """The task's site `a`, the attacker's `b`, and the browser."""

    site: OwnedSite
    a: str
    b: Recorder
    browser: Any


@pytest.fixture(scope="module")
def ground(playwright: Any) -> Iterator[Ground]:
    routes = [Route("/{path:path}", page, methods=["GET", "POST"])]
    recorder = Recorder()
    site = OwnedSite(Starlette(routes=routes), recorder.url)
    server = SiteServer(site)
    browser = playwright.chromium.launch()
    yield Ground(site, server.start(), recorder, browser)
    browser.close()
    server.stop()
    recorder.close()


def element(page: Page, name: str) -> Any:
    """The element with that id, in the newest tab's page or a frame of it; None where there is none."""
    for tab in reversed(page.context.pages):
        for frame in tab.frames:
            with suppress(Error):
                if found := frame.query_selector(f"#{name}"):
                    return found
    return None


def _take(page: Page, step: Step) -> None:
    """One step as Playwright does it; what cannot be done is left."""
    tab = page.context.pages[-1]
    with suppress(Error):
        if step.verb == "wait":
            tab.wait_for_timeout(250)
        elif step.verb == "goto":
            tab.goto(step.text, timeout=3000)
        elif step.verb == "keys":
            tab.keyboard.press(step.text)
        elif step.verb == "type":
            tab.keyboard.type(step.text)
        elif (found := element(page, step.target)) is not None:
            on_element(page, found, step)
    with suppress(Error):
        tab.wait_for_timeout(60)


def on_element(page: Page, found: Any, step: Step) -> None:
    if step.verb in ("mouse", "drag"):
        box = found.bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.down()
        if step.verb == "drag":
            to = element(page, step.text).bounding_box()
            page.mouse.move(to["x"] + 5, to["y"] + 5)
            page.mouse.move(to["x"] + 9, to["y"] + 9)
        page.mouse.up()
        return
    does = {
        "click": lambda: found.click(timeout=1500),
        "double": lambda: found.dblclick(timeout=1500),
        "hover": lambda: found.hover(timeout=1500),
        "focus": found.focus,
        "fill": lambda: found.fill(step.text, timeout=1500),
        "press": lambda: found.press(step.text, timeout=1500),
        "select": lambda: found.select_option(step.text, timeout=1500),
    }
    does[step.verb]()


@pytest.fixture(scope="session")
def take() -> Callable[[Page, Step], None]:
    """Takes one step of an obeying reader, as Playwright does it."""
    return _take
