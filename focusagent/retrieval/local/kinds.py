"""What kind of line one is, from its role, and the words a person reads on it."""

from __future__ import annotations

from focusagent.axtree import AxLine
from focusagent.axtree.properties import properties

ROLES: dict[str, str] = {
    **dict.fromkeys(("button", "MenuListPopup", "DisclosureTriangle", "Summary"), "button"),
    **dict.fromkeys(("link", "DocBackLink"), "link"),
    **dict.fromkeys(
        ("textbox", "searchbox", "spinbutton", "slider", "Date", "DateTime", "InputTime", "ColorWell"), "entry"
    ),
    **dict.fromkeys(("combobox", "listbox"), "combobox"),
    **dict.fromkeys(("checkbox", "radio", "switch"), "choice"),
    **dict.fromkeys(("tab", "menuitem", "menuitemcheckbox", "menuitemradio", "treeitem"), "menu"),
    **dict.fromkeys(("option",), "option"),
    **dict.fromkeys(("LabelText",), "label"),
    **dict.fromkeys(("heading", "columnheader", "rowheader", "Legend", "caption", "Figcaption"), "heading"),
    **dict.fromkeys(("StaticText", "paragraph", "time", "status", "alert", "term", "definition", "mark"), "text"),
    **dict.fromkeys(("cell", "gridcell", "LayoutTableCell"), "cell"),
    **dict.fromkeys(("image", "img", "ListMarker", "separator", "LineBreak", "figure"), "decoration"),
}
KINDS = (*dict.fromkeys(ROLES.values()), "container")
ACTIVE = frozenset({"button", "link", "entry", "combobox", "choice", "menu", "option"})
TELLING = frozenset({"text", "cell", "heading"})
MAX_TEXT = 4_000


def kind(line: AxLine) -> str:
    """The line's class of role. A line of bare prose, as a name with raw line feeds leaves it, is text."""
    return ROLES.get(line.role) or ("text" if is_prose(line) else "container")


def is_prose(line: AxLine) -> bool:
    if line.bid or line.name or line.role.endswith("WebArea"):
        return False
    rest = line.reading.strip()[len(line.role) :]
    return len(rest) > 1 and rest[:2] not in (" '", ' "') and not rest.startswith(", ")


def has_words(line: AxLine) -> bool:
    """Whether its name says anything: icons of a font (private-use characters) do not."""
    return any(not "\ue000" <= char <= "\uf8ff" for char in line.name.strip())


def line_text(line: AxLine) -> str:
    """What a person reads on the line: its name and its value; the address of a link without a name."""
    if "value=" in line.reading or (not line.name and "url=" in line.reading):
        found = properties(line)
        more = found.get("value", "") or ("" if line.name else found.get("url", ""))
        return f"{line.name[:MAX_TEXT]} {more[:MAX_TEXT]}".strip()
    return line.reading.strip()[:MAX_TEXT] if is_prose(line) else line.name[:MAX_TEXT].strip()
