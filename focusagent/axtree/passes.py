"""The simplification passes. Each is small, named and switchable; docs/measured/retrieval.md has their figures."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlsplit

from focusagent.axtree.draft import Draft
from focusagent.axtree.line import QUOTED, AxLine
from focusagent.axtree.properties import drop_properties, properties, split_line

LIVE_PROPERTIES = frozenset("live relevant atomic busy describedby controls owns orientation roledescription".split())
WRAPPERS = frozenset("generic none presentation paragraph rowgroup LayoutTable LayoutTableRow LayoutTableCell".split())
EMPTY_ROLES = WRAPPERS | frozenset(
    "list listitem ListMarker region status log group strong emphasis superscript subscript navigation"
    " complementary separator".split()
)
MAX_URL, MAX_ROOT, MAX_PATH, MAX_NAME, MAX_PARENT_NAME = 120, 60, 40, 300, 80
_LIVE = re.compile(f", (?:{'|'.join(sorted(LIVE_PROPERTIES))})")
_LINKED = re.compile(
    rf"(\s*(?:\[[A-Za-z0-9]+\] )?[^\s,]*(?: ({QUOTED}))?(?: value={QUOTED})?"
    rf"(?:, [A-Za-z_][\w-]*(?:=(?:{QUOTED}|[^,'\"]*))?)*?), url=({QUOTED})",
    re.DOTALL,
)
_STATE = (
    "clickable focus value= hasPopup expanded checked selected=True disabled=True pressed= invalid= description="
    " editable="
).split()


def inline_text_boxes(draft: Draft) -> None:
    """Newer Chromium repeats each text in an InlineTextBox line."""
    for line in draft.alive():
        if line.role == "InlineTextBox":
            draft.drop(line)


def repeated_text(draft: Draft) -> None:
    """Text that its parent's name, as far as it is shown, holds already; not where it can be clicked by itself."""
    for line in draft.alive():
        if line.role == "StaticText" and not (line.bid and ", clickable" in line.reading):
            parent = draft.tree.parent(line.number)
            if not line.name.strip() or (parent and line.name in draft.tree.line(parent).name[:MAX_PARENT_NAME]):
                draft.drop(line)


def empty_nodes(draft: Draft) -> None:
    """Presentational leaves without a name, from the leaves upwards; nothing that can be clicked, has the focus or may
    announce something."""
    _drop_empty_leaves(draft, lambda line: not _LIVE.search(line.reading))


def empty_live_regions(draft: Draft) -> None:
    """Empty live regions, which fill when there is something to announce."""
    _drop_empty_leaves(draft, lambda line: _LIVE.search(line.reading) is not None)


def _drop_empty_leaves(draft: Draft, which: Callable[[AxLine], bool]) -> None:
    last_depth = -1
    for line in reversed(list(draft.alive())):
        is_leaf = last_depth <= line.depth
        if is_leaf and line.role in EMPTY_ROLES and not line.name.strip() and not _has_state(line) and which(line):
            draft.drop(line)
        else:
            last_depth = line.depth


def _has_state(line: AxLine) -> bool:
    return any(word in line.reading for word in _STATE)


def wrappers(draft: Draft) -> None:
    """Nameless presentational nodes around other nodes, which nothing but indentation speaks of; not where their
    children would then hang under a line before them."""
    before = -1
    for line in draft.alive():
        bare = line.role in WRAPPERS and not line.name and not _has_state(line) and not _LIVE.search(line.reading)
        if bare and before < line.depth:
            draft.drop(line)
        else:
            before = line.depth


def live_properties(draft: Draft) -> None:
    """Live-region and layout properties, which describe announcements and ids, not state."""
    draft.edit_tails(lambda text: drop_properties(text, LIVE_PROPERTIES), where=_LIVE.search)


def page_urls(draft: Draft) -> None:
    """URLs of the page's own site lose their origin, those of named lines their query; long ones are cut with a mark.

    A nameless link keeps more, since its URL is all there is to know it by. Script and data URLs say nothing."""
    root = draft.tree.line(draft.tree.root)
    origin = _origin(root)

    def shorten(text: str) -> str:
        match = _LINKED.match(text)
        if match is None:
            return text
        before, name, url = match[1], match[2], match[3]
        if text is root.reading:
            short = _short_url(url[1:-1], "", MAX_ROOT, keep_query=False)
        elif name and len(name) > 2:
            short = _short_url(url[1:-1], origin, MAX_PATH, keep_query=False)
        else:
            short = _short_url(url[1:-1], origin, MAX_URL, keep_query=True)
        return f"{before}{f', url={url[0]}{short}{url[0]}' if short else ''}{text[match.end() :]}"

    draft.edit_tails(shorten, where=lambda text: ", url=" in text)


def _origin(root: AxLine) -> str:
    try:
        parts = urlsplit(properties(root).get("url", ""))
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""


def _short_url(url: str, origin: str, limit: int, keep_query: bool) -> str:
    scheme = url[:11].lower()
    if scheme.startswith("javascript:"):
        return ""
    if scheme.startswith("data:"):
        return "data:…"
    short = url.removeprefix(origin) if origin and url.startswith(origin + "/") else url
    if not keep_query and "?" in short:
        short = short[: short.index("?")] + "?…"
    return short if len(short) <= limit else _whole_escapes(short[:limit]) + "…"


def image_urls(draft: Draft) -> None:
    """Addresses of images that have a name."""

    def where(text: str) -> bool:
        return ", url=" in text and _NAMED_IMAGE.match(text) is not None

    draft.edit_tails(lambda text: drop_properties(text, frozenset({"url"})), where)


_NAMED_IMAGE = re.compile(r"\s*(?:\[[A-Za-z0-9]+\] )?(?:image|img|figure) (?!''|\"\")")


_CUT = re.compile(r"^\W{0,8}… \(\+\d{1,9} characters\)$")


def long_names(draft: Draft) -> None:
    """Names of over MAX_NAME characters keep their head; the mark says how much is gone."""
    for line in draft.alive():
        if len(line.name) > MAX_NAME and not _CUT.search(line.name[MAX_NAME:]):
            head, tail = split_line(draft.texts[line.number - 1] or "")
            start = head.index(" ", len(head) - len(head.lstrip()) + (len(line.bid) + 3 if line.bid else 0)) + 1
            quote, inside = head[start], head[start + 1 : -1]
            shown = _whole_escapes(inside[:MAX_NAME])
            mark = f"… (+{len(inside) - len(shown)} characters)"
            draft.edit_head(line, f"{head[: start + 1]}{shown}{mark}{quote}{tail}")


def _whole_escapes(source: str) -> str:
    """The head of a string's source, without an escape that was cut through."""
    return re.sub(r"(?<!\\)((?:\\\\)*)\\(?:x[0-9a-f]?|u[0-9a-f]{0,3}|U[0-9a-f]{0,7})?$", r"\1", source)


PASSES: dict[str, Callable[[Draft], None]] = {
    function.__name__: function
    for function in (
        inline_text_boxes,
        repeated_text,
        empty_nodes,
        empty_live_regions,
        wrappers,
        live_properties,
        image_urls,
        page_urls,
        long_names,
    )
}
LOSSY = frozenset({"empty_live_regions", "long_names"})
"""Passes that lost a target, its context or an answer on real steps: off unless asked for."""
