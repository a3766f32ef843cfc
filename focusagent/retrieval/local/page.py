"""What the `local` retriever knows of a page's structure: context lines, groups and regions. One pass, linear."""

from __future__ import annotations

from dataclasses import dataclass

from focusagent.axtree import AxLine, AxTree
from focusagent.retrieval.local.kinds import ACTIVE, has_words
from focusagent.retrieval.local.kinds import kind as kind_of
from focusagent.retrieval.local.rows import label_beside, row_of, tellers
from focusagent.retrieval.local.runs import runs
from focusagent.retrieval.local.things import Things, things

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
    "menubar": "navigation",
}
MAX_GROUP = 40


@dataclass(frozen=True)
class PageView:
    """Per line, by index (line number - 1): `kinds` the class of its role; `parent`, `ancestor` (nearest named one) and
    `label` (closest named line before it within its parent's subtree, else in the cells before its own), all as indexes
    or -1; `owner` the control whose words the line shows, -1 for none; `group` is the index of the row, item or field
    that it belongs to; `heads` are the groups that are items; `article` is the nearest article at or above it; `row`
    the row around it; `regions` the kinds of region around it; `named` whether its name says where one is; `things`
    what can be acted on. `tellers` maps a row to the line that tells it from the others."""

    lines: tuple[AxLine, ...]
    kinds: list[str]
    parent: list[int]
    ancestor: list[int]
    label: list[int]
    owner: list[int]
    group: list[int]
    heads: frozenset[int]
    article: list[int]
    row: list[int]
    regions: list[frozenset[str]]
    named: list[bool]
    things: Things
    tellers: dict[int, int]


def view(tree: AxTree) -> PageView:
    lines = tree.lines
    n = len(lines)
    kinds = [kind_of(line) for line in lines]
    parent, ancestor, label, article, owner = [-1] * n, [-1] * n, [-1] * n, [-1] * n, [-1] * n
    regions: list[frozenset[str]] = [frozenset()] * n
    named = [line.role not in FRAMES and has_words(line) for line in lines]
    just_opened = any(line.role == "combobox" and "expanded=True" in line.reading for line in lines)
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
            if kinds[index] not in ACTIVE:
                owner[index] = up if kinds[up] in ACTIVE else owner[up]
        if line.role == "article":
            article[index] = index
        region = _region(line, around, just_opened and kinds[parent[index]] != "combobox")
        regions[index] = around if region is None or region in around else around | {region}
        label[index] = last_named if last_named >= max(parent[index], 0) else -1
        if named[index]:
            last_named = index
        open_lines.append(index)
    row = row_of(lines, parent)
    _label_from_cells(lines, parent, label, label_beside(lines, parent, named))
    group = _groups(lines, parent)
    repeated = runs(lines, kinds, parent)
    heads = {head for head in group if lines[head].role in GROUPS}
    for index, head in repeated.items():
        # a role that marks items knows better than repetition does
        if group[index] not in heads:
            group[index] = head
    heads |= {head for index, head in repeated.items() if group[index] == head}
    return PageView(
        lines,
        kinds,
        parent,
        ancestor,
        label,
        owner,
        group,
        frozenset(heads),
        article,
        row,
        regions,
        named,
        things(lines, kinds),
        tellers(lines, kinds, row, named),
    )


def _region(line: AxLine, around: frozenset[str], list_opened: bool) -> str | None:
    """The kind of region that the line opens. A menu outside of navigation, and a list box beside an expanded combobox,
    have just been opened: they lie on top, as a dialog does."""
    if line.role == "menu":
        return "navigation" if "navigation" in around else "dialog"
    if line.role == "listbox" and list_opened:
        return "dialog"
    return _REGION_OF.get(line.role)


def _label_from_cells(lines: tuple[AxLine, ...], parent: list[int], label: list[int], beside: dict[int, int]) -> None:
    """A form's table has the label of a field in the cell before the field's own."""
    for index in range(len(lines)):
        if label[index] < 0:
            up = parent[index]
            label[index] = beside.get(up, beside.get(parent[up], -1) if up >= 0 else -1)


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
