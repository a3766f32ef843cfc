"""Where an action would land: an element, a point or the focus in a frame of another site is not acted on.

Asked before an action is sent, of a page of Playwright's synchronous API."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from focusagent.actions import Call, calls
from focusagent.security.sandbox.judge import FOREIGN, NO_PAGE
from focusagent.security.sandbox.policy import Policy
from focusagent.security.sandbox.sites import site_of

ONE_BY_ONE = "on a page with another site's frame, keyboard and pointer are used one action at a time"
_FRAME = re.compile(r"[a-z][A-Z]*")
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):(?!\d)", re.IGNORECASE)
_AT = "([x, y]) => { let at = document; for (;;) { const one = at.elementFromPoint(x, y);" + (
    " if (!one?.shadowRoot || one.shadowRoot === at) return one; at = one.shadowRoot; } }"
)
_FOCUS = "() => { let at = document; while (at.activeElement?.shadowRoot) at = at.activeElement.shadowRoot;" + (
    " return at.activeElement; }"
)
_BIDS = ("bid", "from_bid", "to_bid")


def refused_action(action: str, page: Any, policy: Policy) -> str:
    """Why this action may not be sent, in our words; "" where it may."""
    found = list(calls(action))
    for call in found:
        if reason := _refused_address(call):
            return reason
    if not any(is_foreign(frame, policy) for frame in page.frames[1:]):
        return ""
    blind = [call for call in found if call.name.startswith(("keyboard_", "mouse_"))]
    if blind and len(found) > 1:
        return ONE_BY_ONE
    for call in found:
        if any(is_foreign(frame, policy) for frame in _frames_of(call, page)):
            return FOREIGN
    return ""


def is_foreign(frame: Any, policy: Policy) -> bool:
    """Whether a frame shows what is not of the task's sites. A blank one belongs to the page around it."""
    while frame is not None and frame.url in ("", ":", "about:blank", "about:srcdoc"):
        frame = frame.parent_frame
    if frame is None or frame.parent_frame is None:
        return False
    return not policy.on_sites(site_of(frame.url))


def _refused_address(call: Call) -> str:
    """`data:` and `view-source:` pages make no request that would tell."""
    if call.name not in ("goto", "new_tab"):
        return ""
    if not call.readable:
        return NO_PAGE
    match = _SCHEME.match(re.sub(r"[\x00-\x20]", "", call.argument(0, "url")))
    blank = call.argument(0, "url").strip().lower() == "about:blank"
    return NO_PAGE if match and match[1].lower() not in ("http", "https") and not blank else ""


def _frames_of(call: Call, page: Any) -> Iterator[Any]:
    """The frames that the action would reach into."""
    if call.name.startswith("keyboard_"):
        yield from _inside(page.main_frame, lambda frame: frame.evaluate_handle(_FOCUS))
    elif call.name.startswith("mouse_"):
        numbers = [one for one in (*call.positional, *call.named.values()) if isinstance(one, int | float)]
        for x, y in zip(numbers[::2], numbers[1::2], strict=False):
            yield from _at_point(page.main_frame, x, y)
    else:
        named = [value for name, value in call.named.items() if name in _BIDS]
        for bid in (*call.positional[:2], *named):
            if isinstance(bid, str):
                yield from _of_bid(page, bid)


def _of_bid(page: Any, bid: str) -> Iterator[Any]:
    """The frames on the way to an element, as BrowserGym names them: `a`, then `ab`, of `ab12`."""
    frame, prefix = page.main_frame, ""
    match = re.match(r"(?:[a-z][A-Z]*)*(?=\d)", bid)
    for part in _FRAME.findall(match[0] if match else ""):
        prefix += part
        holder = frame.query_selector(f'[bid="{prefix}"]')
        frame = holder.content_frame() if holder else None
        if frame is None:
            return
        yield frame


def _inside(frame: Any, find: Any) -> Iterator[Any]:
    """The frame in which the found element lies, and those around it."""
    while frame is not None:
        element = find(frame).as_element()
        frame = element.content_frame() if element else None
        if frame is not None:
            yield frame


def _at_point(frame: Any, x: float, y: float) -> Iterator[Any]:
    while frame is not None:
        element = frame.evaluate_handle(_AT, [x, y]).as_element()
        inner = element.content_frame() if element else None
        if inner is not None:
            box = element.evaluate("one => { const b = one.getBoundingClientRect(); return [b.x, b.y]; }")
            x, y = x - box[0], y - box[1]
            yield inner
        frame = inner
