"""What the proxy remembers of each page, so that hidden lines and changes need no second look at the browser."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from focusagent.focused import Focused

MAX_PAGES = 8
MAX_CHARACTERS = 12_000_000


@dataclass(frozen=True)
class Page:
    """One page as the server last answered it."""

    key: str
    """Its address, and the tab where the call names one."""
    focused: Focused
    """The tree as received and what was shown of it."""
    wanted: str
    """What it was focused on."""


class Memory:
    """The latest pages, the current one last; bounded in number and in characters."""

    def __init__(self) -> None:
        self._pages: OrderedDict[str, Page] = OrderedDict()

    def keep(self, page: Page) -> None:
        self._pages.pop(page.key, None)
        self._pages[page.key] = page
        while len(self._pages) > 1 and (len(self._pages) > MAX_PAGES or self._size() > MAX_CHARACTERS):
            self._pages.popitem(last=False)

    def of(self, key: str) -> Page | None:
        """The page of that key as last answered."""
        return self._pages.get(key)

    def current(self, url: str = "") -> Page | None:
        """The page answered last, or the latest whose key ends with `url`."""
        pages = reversed(self._pages.values())
        return next((page for page in pages if page.key.endswith(url)), None)

    def _size(self) -> int:
        return sum(len(line.text) for page in self._pages.values() for line in page.focused.tree.lines)
