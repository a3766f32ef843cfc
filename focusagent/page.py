"""AxTree text from a file, standard input, or a page opened in the browser."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from focusagent.browser import in_thread
from focusagent.errors import UserError
from focusagent.observation import drop_inline_text_boxes

MAX_BYTES = 200_000_000
WEB_PAGES = (".html", ".htm", ".xhtml")


def read_page(source: str) -> str:
    """The AxTree text behind FILE, URL or "-"; a file of HTML is opened in the browser.

    Raises UserError for what is missing, empty, no text or unreachable."""
    if source.startswith(("http://", "https://", "file://")):
        return axtree_of_url(source)
    if source.lower().endswith(WEB_PAGES) and Path(source).is_file():
        return axtree_of_url(Path(source).resolve().as_uri())
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
    return in_thread(_read_axtree, url)


def _read_axtree(url: str) -> str:
    from browsergym.utils.obs import flatten_axtree_to_str

    with _opened(url) as (tree, properties):
        return drop_inline_text_boxes(
            flatten_axtree_to_str(tree, extra_properties=properties, with_visible=True, with_clickable=True)
        )


@contextmanager
def _opened(url: str) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    from browsergym.core.constants import BROWSERGYM_ID_ATTRIBUTE
    from browsergym.core.observation import (
        _post_extract,
        _pre_extract,
        extract_dom_extra_properties,
        extract_dom_snapshot,
        extract_merged_axtree,
    )
    from playwright.sync_api import Error, sync_playwright

    with sync_playwright() as playwright:
        playwright.selectors.set_test_id_attribute(BROWSERGYM_ID_ATTRIBUTE)
        try:
            browser = playwright.chromium.launch()
        except Error as error:
            raise UserError("no browser to open pages with; `focusagent install-browser` installs one") from error
        try:
            page = browser.new_page()
            page.goto(url, timeout=30_000)
            page.wait_for_load_state("load")
            _pre_extract(page, tags_to_mark="standard_html", lenient=True)
            properties = extract_dom_extra_properties(extract_dom_snapshot(page), scale_factor=1.0)
            tree = extract_merged_axtree(page)
            _post_extract(page)
        except Error as error:
            raise UserError(f"cannot open {url}: {error.message.splitlines()[0]}") from error
        finally:
            browser.close()
        yield tree, properties
