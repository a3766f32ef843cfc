"""What the tree does not tell, read from Chromium's DOM snapshot: what stands in a form, and where secrets are typed.

Pure; a snapshot is a plain dictionary as CDP's DOMSnapshot.captureSnapshot gives it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

BID_ATTRIBUTE = "bid"
_FIELDS = frozenset(("INPUT", "TEXTAREA"))
_SECRET_TOKENS = frozenset(("current-password", "new-password", "one-time-code", "cc-csc"))
# What fields for secrets are called, as whole words or parts of compounds (`userPassword`, `contraseña_nueva`).
_SECRET = re.compile(
    r"pass(?:word|wort|wd|code|phrase|key)|pwd|kennwort|contrase[nñ]a|mot[ _-]?de[ _-]?passe|senha|wachtwoord"
    r"|has[lł]o\b|salasana|l[oö]senord|парол|密码|密碼|パスワード|비밀번호|(?:api|secret|private|license)[ _-]?key"
    r"|(?:access|auth|api|secret)[ _-]?token|\bcv[cvn]2?\b|security[ _-]?code|one[ _-]?time[ _-]?code|\botp\b|\bpin\b",
    re.IGNORECASE,
)
_LONGEST_LABEL = 60


@dataclass(frozen=True)
class Element:
    """One element: its document and its index in that document's node list, upper-case tag, bid ("" for none),
    attributes."""

    document: int
    index: int
    tag: str
    bid: str
    attributes: Mapping[str, str]


def is_secret_label(label: str) -> bool:
    """Whether a field of this name is for a password, a key, a code or the like."""
    return len(label) <= _LONGEST_LABEL and bool(_SECRET.search(label))


def elements(snapshot: Mapping[str, Any], tags: frozenset[str]) -> Iterator[Element]:
    """The elements of these tags (upper case) in every document of the snapshot, frames included."""
    strings = snapshot.get("strings") or ()
    for number, document in enumerate(snapshot.get("documents") or ()):
        nodes = document["nodes"]
        for index, name in enumerate(nodes["nodeName"]):
            tag = strings[name].upper() if name >= 0 else ""
            if tag in tags:
                attributes = _attributes(nodes, index, strings)
                yield Element(number, index, tag, attributes.get(BID_ATTRIBUTE, ""), attributes)


def _attributes(nodes: Mapping[str, Any], index: int, strings: Any) -> dict[str, str]:
    flat = nodes["attributes"][index]
    return {
        strings[key]: strings[value] if value >= 0 else "" for key, value in zip(flat[::2], flat[1::2], strict=True)
    }


def inside(document: Mapping[str, Any], roots: set[int]) -> set[int]:
    """The nodes (by index) of these subtrees of a document, their roots included."""
    found = set(roots)
    for index, parent in enumerate(document["nodes"]["parentIndex"]):
        if parent in found:  # a parent stands before its children
            found.add(index)
    return found


def in_forms(snapshot: Mapping[str, Any]) -> frozenset[str]:
    """Bids of the forms that may send something, and of the fields and buttons that belong to one.

    `method="dialog"` sends nothing, unless a button of it says otherwise."""
    forms = [form for form in elements(snapshot, frozenset(("FORM",))) if not _only_closes(form)]
    found = {form.bid for form in forms}
    sending = [
        inside(document, {form.index for form in forms if form.document == number})
        for number, document in enumerate(snapshot.get("documents") or ())
    ]
    for one in elements(snapshot, _FIELDS | {"BUTTON", "SELECT"}):
        if one.index in sending[one.document] or {"form", "formaction", "formmethod"} & one.attributes.keys():
            found.add(one.bid)
    return frozenset(found - {""})


def _only_closes(form: Element) -> bool:
    return form.attributes.get("method", "").casefold() == "dialog"


def secret_fields(snapshot: Mapping[str, Any]) -> tuple[Element, ...]:
    """The fields into which secrets are typed, shown in clear or not: by their type, by what the browser is told to
    fill in, and by what they are called."""
    return tuple(one for one in elements(snapshot, _FIELDS) if _is_secret(one.attributes))


def _is_secret(attributes: Mapping[str, str]) -> bool:
    if attributes.get("type", "").casefold() == "password":
        return True
    if _SECRET_TOKENS & set(attributes.get("autocomplete", "").casefold().split()):
        return True
    if attributes.get("type", "").casefold() in ("button", "checkbox", "hidden", "radio", "reset", "search", "submit"):
        return False
    return any(is_secret_label(attributes.get(name, "")) for name in ("id", "name", "aria-label", "placeholder"))
