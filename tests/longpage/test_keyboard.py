"""Every control of the sites is reached with the Tab key, and has an accessible name unless it is an icon."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from focusagent.longpage.forum.world import thread_path
from focusagent.longpage.server import SiteServer
from focusagent.longpage.shop.app import product_path
from focusagent.longpage.sites import SITES

CONTROLS = "button link textbox searchbox combobox checkbox radio spinbutton".split()
NAMELESS_ON_PURPOSE = {"icon", "thumb", "shot"}
MARK = """() => {
  const wanted = 'a[href], button:not([disabled]), input:not([type=hidden]):not([disabled]), select, textarea';
  const all = (root) => [...root.querySelectorAll('*')].flatMap((el) =>
    [el, ...(el.shadowRoot ? all(el.shadowRoot) : []), ...(el.contentDocument ? all(el.contentDocument) : [])]);
  const controls = all(document).filter((el) => el.matches(wanted) && el.tabIndex >= 0 && el.checkVisibility());
  const group = (el) => el.type === 'radio' ? `radio ${el.name}` : null;
  const seen = {};
  let count = 0;
  for (const el of controls) {
    const key = group(el) ?? String(count++);
    el.dataset.key = seen[key] ??= key;
  }
  window.reached = new Set();
  for (const own of new Set([document, ...controls.map((el) => el.ownerDocument)]))
    own.addEventListener('focusin', (event) => window.reached.add(event.composedPath()[0].dataset?.key), true);
  return [...new Set(controls.map((el) => el.dataset.key))];
}"""
REACHED = "() => [...window.reached]"


def _paths(site: str, state: Any) -> list[str]:
    """One page of each kind; what no page leads to yet (the later steps of a checkout) is left out."""
    if site == "forum":
        thread = state.long_thread(state.forums[0])
        lists = ["/", f"/f/{state.forums[0]}", f"/search?q={thread.title.split()[0]}", f"/u/{thread.author}"]
        return [*lists, "/submit", thread_path(thread)]
    if site == "shop":
        lists = ["/", f"/c/{state.categories[0]}", "/search?q=a", "/orders", f"/orders/{state.orders[0].id}"]
        return [*lists, product_path(state.featured), "/cart", "/account", "/checkout/address"]
    if site == "desk":
        records = [f"/incident/{min(state.incidents)}", f"/knowledge/{min(state.articles)}"]
        lists = ["/list", "/people", "/catalogue", "/knowledge", "/overview"]
        return [*lists, *records, "/new", "/catalogue/Headset", "/?frame=/page/Users", "/?frame=/list"]
    lists = ["/", f"/blob/{min(state.files)}", "/issues", f"/issues/{min(state.issues)}"]
    return [*lists, "/merge", "/settings", "/branches"]


@pytest.mark.parametrize(
    ("site", "path"), [(site, path) for site in SITES for path in _paths(site, SITES[site].state(0, "1k"))]
)
def test_every_control_is_reached_and_named(browser: Any, origins: Callable[[str], str], site: str, path: str) -> None:
    page = browser.new_page()
    try:
        page.goto(origins(site) + path)
        assert _unreached(page) == set()
        assert _nameless(page) == []
    finally:
        page.close()


@pytest.fixture(scope="module")
def origins() -> Iterator[Callable[[str], str]]:
    """Where a site is served, started when it is asked for; these tests change nothing on it."""
    servers: dict[str, SiteServer] = {}
    known: dict[str, str] = {}

    def origin(site: str) -> str:
        if site not in known:
            servers[site] = SiteServer(SITES[site].app(SITES[site].state(0, "1k")))
            known[site] = servers[site].start()
        return known[site]

    yield origin
    for server in servers.values():
        server.stop()


def _unreached(page: Any) -> set[str]:
    """Keys of the controls that as many presses of Tab as there are controls, and some, do not focus."""
    left = set(page.evaluate(MARK))
    for _ in range(2):
        for _ in range(len(left) + 5):
            page.keyboard.press("Tab")
        left -= set(page.evaluate(REACHED))
        if not left:
            break
    return left


def _nameless(page: Any) -> list[str]:
    """Controls without a name whose class does not say that they are icons."""
    session = page.context.new_cdp_session(page)
    found = []
    for node in session.send("Accessibility.getFullAXTree")["nodes"]:
        if node.get("ignored") or node["role"]["value"] not in CONTROLS or node["name"]["value"].strip():
            continue
        told = session.send("DOM.describeNode", {"backendNodeId": node["backendDOMNodeId"]})["node"]
        attributes = dict(zip(told["attributes"][::2], told["attributes"][1::2], strict=True))
        if not NAMELESS_ON_PURPOSE & set(attributes.get("class", "").split()):
            found.append(f"{told['localName']} {attributes}")
    return found
