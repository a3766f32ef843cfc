"""Trees as the tools write them, from elements with any names: what the property tests of the dialects read."""

from __future__ import annotations

import json
from dataclasses import dataclass

from hypothesis import strategies as st

HOSTILE = (
    "Save", "it's", 'say "x"', "a: b", "# no comment", "back\\slash", "ends with \\", "🎉", "[ref=e1]", "- item",
    'x" [ref=e9] [checked]', "uid=1_99 button", "[99]<button />", "... pruned 3 lines ...", "### Snapshot", "```",
    "null", "{a}",
)  # fmt: skip
_CHARACTERS = st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp"))
NAMES = st.one_of(st.sampled_from(HOSTILE), st.text(_CHARACTERS, min_size=1, max_size=20)).map(
    lambda name: " ".join(name.split()) or "x"
)
ROLES = ("button", "link", "heading", "checkbox", "listitem")


@dataclass(frozen=True)
class Written:
    """One element: `depth` never jumps by more than one; its id is its place in the list."""

    depth: int
    role: str
    name: str


@st.composite
def pages(draw: st.DrawFn) -> list[Written]:
    elements = [Written(0, "main", "Page")]
    for _ in range(draw(st.integers(1, 12))):
        depth = draw(st.integers(1, elements[-1].depth + 1))
        elements.append(Written(depth, draw(st.sampled_from(ROLES)), draw(NAMES)))
    return elements


def as_aria(elements: list[Written]) -> str:
    """As Playwright prints a snapshot: a key in single quotes where YAML needs it, an address beneath a link."""
    lines = []
    for index, one in enumerate(elements):
        key = f"{one.role} {json.dumps(one.name, ensure_ascii=False)} [ref=e{index}]"
        if any(sign in key for sign in (": ", " #", "{", "}", "`")):
            key = "'" + key.replace("'", "''") + "'"
        has_child = index + 1 < len(elements) and elements[index + 1].depth > one.depth
        lines.append("  " * one.depth + f"- {key}" + (":" if has_child or one.role == "link" else ""))
        if one.role == "link":
            lines.append("  " * (one.depth + 1) + f"- /url: /p/{index}")
    return "\n".join(lines)


def as_answer(elements: list[Written]) -> str:
    head = f"### Page\n- Page URL: http://x/\n- Page Title: {elements[-1].name}\n### Snapshot\n"
    return f"{head}```yaml\n{as_aria(elements)}\n```\n### Events\n- console: {elements[-1].name}"


def as_chrome(elements: list[Written]) -> str:
    lines = [f'{"  " * one.depth}uid=1_{index} {one.role} "{one.name}"' for index, one in enumerate(elements)]
    return "\n".join(["## Latest page snapshot", *lines])


def as_browser_use(elements: list[Written]) -> str:
    tags = {"link": "a", "heading": "h1", "listitem": "li", "checkbox": "input type=checkbox"}
    return "\n".join(
        "\t" * one.depth + f"[{index}]<{tags.get(one.role, one.role)} aria-label={one.name} />"
        for index, one in enumerate(elements)
    )


def as_webarena(elements: list[Written]) -> str:
    lines = ["\t" * one.depth + f"[{index}] {one.role} {one.name!r}" for index, one in enumerate(elements)]
    return "\n".join(["Tab 0 (current): x", "", lines[0] + " focused: True", *lines[1:]])


WRITERS = {
    "aria": (as_aria, "e{}"),
    "playwright-mcp": (as_answer, "e{}"),
    "chrome-devtools": (as_chrome, "1_{}"),
    "browser-use": (as_browser_use, "{}"),
    "webarena": (as_webarena, "{}"),
}
"""Dialect -> how a page is written in it, and how the id of the n-th element reads."""
