"""Snapshot files that an answer links to instead of showing the page."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import unquote, urlsplit

MAX_BYTES = 20_000_000
CLOCK = 2.0
_LINK = re.compile(r"^(### Snapshot\n- )\[Snapshot\]\(([^()\n]+)\)[ \t]*$", re.MULTILINE)


def linked_path(text: str) -> str:
    """The file that the answer's last section of that name links to; "" where there is none."""
    found = _LINK.findall(text)
    return found[-1][1] if found else ""


def without_links(text: str) -> str:
    """The answer without the address of the file, whose content nobody has vetted."""
    return _LINK.sub(r"\1(the snapshot file is withheld: nothing in it was vetted)", text)


def read_linked(path: str, roots: Iterable[Path], not_before: float) -> str:
    """The file's text; "" where it is not to be had.

    Only a file written since the call began (`not_before`, seconds since the epoch) is read: a page that forges a link
    cannot have the proxy show another file."""
    for root in roots:
        file = root / path
        try:
            state = file.stat()
            if file.suffix not in (".yml", ".yaml", ".md", ".txt") or state.st_size > MAX_BYTES:
                continue
            if state.st_mtime >= not_before - CLOCK:
                return file.read_text(encoding="utf-8", errors="replace").removesuffix("\n")
        except (OSError, ValueError):
            continue
    return ""


def root_paths(uris: Iterable[object]) -> list[Path]:
    """The folders of `file:` addresses among a client's roots."""
    parts = [urlsplit(uri) for uri in uris if isinstance(uri, str)]
    return [Path(unquote(part.path)) for part in parts if part.scheme == "file"]
