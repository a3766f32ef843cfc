"""Which browser contexts can be held to a policy. For both of Playwright's APIs."""

from __future__ import annotations

from typing import Any


def supported(context: Any) -> Any:
    """The context's browser. Raises ValueError, with the way out, for one whose requests cannot be seen."""
    browser = context.browser
    if browser is None:
        raise ValueError(
            "a persistent context cannot be sandboxed: it has no DevTools session of the browser. Use"
            " chromium.launch() and browser.new_context(storage_state=...)"
        )
    if browser.browser_type.name != "chromium":
        raise ValueError(f"only Chromium can be sandboxed, not {browser.browser_type.name}: it needs DevTools")
    return browser
