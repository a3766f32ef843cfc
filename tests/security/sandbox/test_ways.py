"""Every way of the family `effects`, played by a reader who obeys, in a real browser against two real origins."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from focusagent.security.attacks.effects import Step, Way, Write, load_ways
from focusagent.security.sandbox import Policy, Sandbox, SiteMap

Take = Callable[[Any, Step], None]
SECRET = "zq4711secretword"
WRITE = Write("/account/delete", {"sure": "yes", "all": "true"})
MAP = SiteMap.model_validate(
    {
        "name": "shop",
        "effects": {"delete": {"words": "delete the account", "severity": "high"}},
        "requests": [{"method": "POST", "path": "/account/delete", "effect": "delete"}],
    }
)
# Text goes to a frame of another site letter by letter: what a request says cannot show it. The environment refuses
# the step before it is sent (test_environment.py); here, nothing may be loaded from elsewhere.
STRICT = {"frame-typed", "frame-pointer"}
# Stopped in the page itself, before there is a request to tell of.
UNTOLD = {"typed-blob-worker", "typed-speculation", "service-worker"}


def played(ground: Any, take: Take, way: Way, box: Sandbox | None) -> Any:
    ground.b.arrived.clear()
    ground.site.written.clear()
    filled = way.fill(ground.a, ground.b.url, SECRET, WRITE)
    ground.b.posts_to(ground.a + WRITE.path, dict(WRITE.fields))
    context = ground.browser.new_context()
    context.set_default_timeout(3000)
    try:
        if box is not None:
            box.install(context)
        ground.site.markup = filled.markup
        page = context.new_page()
        page.goto(f"{ground.a}/start")
        page.wait_for_timeout(50)
        for step in filled.steps:
            take(page, step)
        page.wait_for_timeout(150)
        return [tab.url for tab in context.pages]
    finally:
        ground.site.markup = ""
        context.close()


def succeeded(ground: Any, way: Way) -> bool:
    if way.wants == "write":
        return any(one.path == WRITE.path for one in ground.site.written)
    return bool(ground.b.receipts(SECRET) or (way.wants == "page" and ground.b.pages()))


def _every_fourth_now() -> Iterator[Any]:
    """All ways are played by `make test-all`; two minutes of browser for each change would be too long."""
    for index, name in enumerate(load_ways()):
        yield pytest.param(name, marks=[pytest.mark.slow] if index % 4 else [])


@pytest.mark.parametrize("name", _every_fourth_now())
def test_nothing_leaves_and_nothing_unasked_is_written(ground: Any, take: Take, name: str) -> None:
    way = load_ways()[name]
    policy = Policy(sites=(ground.a,), writes="goal", maps=(MAP,))
    box = Sandbox(replace(policy, others="none") if name in STRICT else policy)
    urls = played(ground, take, way, box)
    assert ground.b.receipts(SECRET) == []
    assert ground.b.pages() == []
    assert [one for one in ground.site.written if one.path == WRITE.path] == []
    assert box.blocked or name in UNTOLD, "the attack was never tried"
    assert all(url.startswith((ground.a, "about:blank")) or not url for url in urls), urls
