"""What the `local` retriever knows of a page's structure: context lines, groups and regions. One pass, linear."""

from __future__ import annotations

from dataclasses import dataclass

from focusagent.axtree import AxLine, AxTree

FRAMES = frozenset({"RootWebArea", "Iframe", "WebArea"})
GROUPS = frozenset(
    "row listitem article option treeitem radiogroup group LabelText definition term figure menuitem form".split()
)
ITEMS = frozenset({"article", "listitem", "treeitem"})
DIALOGS = frozenset({"dialog", "alertdialog", "alert"})
REGIONS = ("main", "navigation", "banner", "contentinfo", "complementary", "search", "form", "table", "dialog")
_REGION_OF = {
    **{role: role for role in REGIONS},
    **dict.fromkeys(("alertdialog", "alert"), "dialog"),
    **dict.fromkeys(("grid", "treegrid"), "table"),
    **dict.fromkeys(("menubar", "menu", "toolbar"), "navigation"),
}
MAX_GROUP = 40


@dataclass(frozen=True)
class PageView:
    """Per line, by index (line number - 1): `parent`, `ancestor` (nearest named one) and `label` (closest named line
    before it within its parent's subtree), all as indexes or -1; `group` is the index of the row, item or field that
    it belongs to; `article` that of the nearest article at or above it; `regions` the kinds of region
    around it; `named` whether its name says where one is."""

    lines: tuple[AxLine, ...]
    parent: list[int]
    ancestor: list[int]
    label: list[int]
    group: list[int]
    article: list[int]
    regions: list[frozenset[str]]
    named: list[bool]


def view(tree: AxTree) -> PageView:
    lines = tree.lines
    n = len(lines)
    parent, ancestor, label, article = [-1] * n, [-1] * n, [-1] * n, [-1] * n
    regions: list[frozenset[str]] = [frozenset()] * n
    named = [bool(line.name.strip()) and line.role not in FRAMES for line in lines]
    open_lines: list[int] = []
    last_named = -1
    for index, line in enumerate(lines):
        while open_lines and lines[open_lines[-1]].depth >= line.depth:
            open_lines.pop()
        around = frozenset[str]()
        if open_lines:
            up = parent[index] = open_lines[-1]
            ancestor[index] = up if named[up] else ancestor[up]
            around = regions[up]
            article[index] = article[up]
        if line.role == "article":
            article[index] = index
        kind = _REGION_OF.get(line.role)
        regions[index] = around if kind is None or kind in around else around | {kind}
        label[index] = last_named if last_named >= max(parent[index], 0) else -1
        if named[index]:
            last_named = index
        open_lines.append(index)
    return PageView(lines, parent, ancestor, label, _groups(lines, parent), article, regions, named)


def _groups(lines: tuple[AxLine, ...], parent: list[int]) -> list[int]:
    """The nearest grouping line at or above each line, where its subtree is small; else the parent, or itself."""
    n = len(lines)
    sizes = [1] * n
    for index in range(n - 1, 0, -1):
        if parent[index] >= 0:
            sizes[parent[index]] += sizes[index]
    group = list(range(n))
    for index, line in enumerate(lines):
        up = parent[index]
        if line.role in GROUPS and sizes[index] <= MAX_GROUP and (up < 0 or lines[group[up]].role not in GROUPS):
            continue
        if up >= 0 and sizes[group[up]] <= MAX_GROUP:
            group[index] = group[up]
        elif up >= 0 and sizes[up] <= MAX_GROUP:
            group[index] = up
    return group
