"""AxTree text from a file, standard input, or a page opened in the browser."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from focusagent.browser import in_thread
from focusagent.dom import in_forms
from focusagent.errors import UserError
from focusagent.masking import mask_observation, mask_tree
from focusagent.observation import drop_inline_text_boxes

MAX_BYTES = 200_000_000
WEB_PAGES = (".html", ".htm", ".xhtml")
OPEN_SECONDS, LOAD_SECONDS = 30.0, 10.0


@dataclass(frozen=True)
class PageText:
    """A page as AxTree text. `note` says what a reader must know of it; `in_forms` are the bids of what stands in an
    HTML form, where a browser told them."""

    text: str
    note: str = ""
    in_forms: frozenset[str] = frozenset()


def read_page(source: str, mask: bool = False) -> PageText:
    """The page behind FILE, URL or "-"; a file of HTML is opened in the browser. With `mask` the values of
    password-like fields are hidden.

    Raises UserError for what is missing, empty, no text or unreachable."""
    if source.startswith(("http://", "https://", "file://")):
        return page_of_url(source, mask)
    if source.lower().endswith(WEB_PAGES) and Path(source).is_file():
        return page_of_url(Path(source).resolve().as_uri(), mask)
    text = _text_of(source)
    return PageText(mask_tree(text) if mask else text)


def _text_of(source: str) -> str:
    name = "standard input" if source == "-" else source
    try:
        data = sys.stdin.buffer.read(MAX_BYTES + 1) if source == "-" else _read_file(Path(source))
    except OSError as error:
        raise UserError(f"cannot read {name}: {error.strerror or error}", 2) from error
    if len(data) > MAX_BYTES:
        raise UserError(f"{name} is larger than {MAX_BYTES // 1_000_000} MB")
    if b"\0" in data:
        raise UserError(f"{name} is a binary file, not an accessibility tree")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserError(f"{name} is not UTF-8 text (byte {error.start})") from error
    if not text.strip():
        raise UserError(f"{name} is empty")
    if text.lstrip()[:15].lower().startswith(("<!doctype html", "<html")):
        raise UserError(f"{name} is HTML, not an accessibility tree: give its URL, or a file whose name ends in .html")
    return text.removesuffix("\n")


def _read_file(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(MAX_BYTES + 1)


def axtree_of_url(url: str) -> str:
    """The page's AxTree as BrowserGym prints it, with visible and clickable tags. Raises UserError."""
    return page_of_url(url).text


def page_of_url(url: str, mask: bool = False, wait: float = LOAD_SECONDS) -> PageText:
    """The page in the browser. One that has not finished loading after `wait` seconds is read as far as it is there,
    and the note says so. Raises UserError for what cannot be opened, and for files that are no page, by name."""
    return in_thread(lambda: _read_url(url, mask, wait))


def _read_url(url: str, mask: bool, wait: float) -> PageText:
    from browsergym.utils.obs import flatten_axtree_to_str

    with _opened(url, wait) as (obs, note):
        raw = mask_observation(obs) if mask else obs
        properties = raw["extra_element_properties"]
        text = flatten_axtree_to_str(
            raw["axtree_object"], extra_properties=properties, with_visible=True, with_clickable=True
        )
        return PageText(drop_inline_text_boxes(text), note, in_forms(raw["dom_object"]))


@contextmanager
def _opened(url: str, wait: float) -> Iterator[tuple[dict[str, Any], str]]:
    """The page's part of a raw observation, and a note."""
    from browsergym.core.constants import BROWSERGYM_ID_ATTRIBUTE
    from playwright.sync_api import Error, sync_playwright

    with sync_playwright() as playwright:
        playwright.selectors.set_test_id_attribute(BROWSERGYM_ID_ATTRIBUTE)
        try:
            browser = playwright.chromium.launch()
        except Error as error:
            raise UserError("no browser to open pages with; `focusagent install-browser` installs one") from error
        try:
            page = browser.new_page()
            note = _load(page, url, wait)
            yield _extract(page), note
        except Error as error:
            raise UserError(f"cannot open {url}: {error.message.splitlines()[0]}") from error
        finally:
            browser.close()


def _load(page: Any, url: str, wait: float) -> str:
    """Open the page and wait for it; a note where it does not finish. Raises UserError for a file that is no page."""
    from playwright.sync_api import Error, TimeoutError

    kinds = [""]
    page.on("response", lambda response: kinds.append(_kind(response)))
    try:
        page.goto(url, wait_until="commit", timeout=1000 * OPEN_SECONDS)
    except Error as error:
        if any(mark in error.message for mark in ("Download is starting", "net::ERR_ABORTED")):
            kind = "a PDF" if _is_pdf(kinds[-1], url) else "a download"
            raise UserError(f"{url} is {kind}, not a page; save it and give its text") from error
        raise
    if _is_pdf(kinds[-1], page.url):
        raise UserError(f"{url} is a PDF, not a page; save it and give its text")
    for state in ("domcontentloaded", "load"):
        try:
            page.wait_for_load_state(state, timeout=1000 * wait)
        except TimeoutError:
            return f"the page had not finished loading after {wait:g} s; this is what was there"
    return ""


def _kind(response: Any) -> str:
    return str(response.headers.get("content-type", "")) if response.request.is_navigation_request() else ""


def _is_pdf(kind: str, url: str) -> bool:
    return "application/pdf" in kind or url.partition("?")[0].lower().endswith(".pdf")


def _extract(page: Any) -> dict[str, Any]:
    from browsergym.core.observation import (
        _post_extract,
        _pre_extract,
        extract_dom_extra_properties,
        extract_dom_snapshot,
        extract_merged_axtree,
    )

    _pre_extract(page, tags_to_mark="standard_html", lenient=True)
    snapshot = extract_dom_snapshot(page)
    obs = {
        "dom_object": snapshot,
        "extra_element_properties": extract_dom_extra_properties(snapshot, scale_factor=1.0),
        "axtree_object": extract_merged_axtree(page),
    }
    _post_extract(page)
    return obs
