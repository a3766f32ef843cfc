"""Values of password-like fields, hidden wherever a page is read: the tree as text, and BrowserGym's raw observation.

What is left says whether the field is filled in. Nothing is done about a screenshot, which shows what the browser
shows, nor about text that a page prints outside its fields."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from focusagent.axtree.line import AxLine
from focusagent.axtree.properties import replace_property
from focusagent.axtree.tree import AxTree
from focusagent.dom import inside, is_secret_label, secret_fields

FILLED = "(filled, hidden)"
_FIELD_ROLES = frozenset(("textbox", "spinbutton"))


def mask_tree(text: str, secret: Collection[str] = frozenset()) -> str:
    """The AxTree text with the values of secret fields hidden: those of these bids, and those whose name says so.

    Line numbers, bids, roles and names stay; an empty field stays as it is."""
    if "textbox" not in text and "spinbutton" not in text:
        return text
    tree = AxTree.parse(text, "browsergym")
    lines = [line.text for line in tree.lines]
    for line in tree.lines:
        if line.role in _FIELD_ROLES and (line.bid in secret or is_secret_label(line.name)):
            lines[line.number - 1] = replace_property(line.text, "value", FILLED)
            first, last = tree.subtree(line.number)
            for inner in tree.lines[first:last]:
                lines[inner.number - 1] = _emptied(inner)
    return "\n".join(lines)


def _emptied(line: AxLine) -> str:
    """A line inside a secret field: what was typed, as text."""
    bid = f"[{line.bid}] " if line.bid else ""
    return "\t" * line.depth + f"{bid}{line.role} {FILLED!r}" if line.name or line.role == "StaticText" else line.text


def mask_observation(obs: dict[str, Any]) -> dict[str, Any]:
    """BrowserGym's raw observation with those values hidden in the tree and in the DOM, whoever reads them later.

    The input is not changed; parts without a secret are shared with it."""
    snapshot = obs.get("dom_object") or {}
    fields = secret_fields(snapshot)
    masked = dict(obs)
    if obs.get("axtree_object"):
        masked["axtree_object"] = _masked_nodes(obs["axtree_object"], {one.bid for one in fields} - {""})
    if fields:
        masked["dom_object"] = _masked_snapshot(snapshot, {(one.document, one.index) for one in fields})
    return masked


def _masked_nodes(axtree: Mapping[str, Any], secret: Collection[str]) -> dict[str, Any]:
    by_id = {node["nodeId"]: node for node in axtree["nodes"]}
    changed: dict[str, Any] = {}
    for node in axtree["nodes"]:
        role, name = (str((node.get(key) or {}).get("value") or "") for key in ("role", "name"))
        if role in _FIELD_ROLES and (node.get("browsergym_id") in secret or is_secret_label(name)):
            changed[node["nodeId"]] = _masked_node(node, "value")
            inside = list(node.get("childIds") or ())
            while inside:
                child = by_id.get(inside.pop())
                if child is not None and child["nodeId"] not in changed:
                    changed[child["nodeId"]] = _masked_node(_masked_node(child, "name"), "value")
                    inside += child.get("childIds") or ()
    return {**axtree, "nodes": [changed.get(node["nodeId"], node) for node in axtree["nodes"]]}


def _masked_node(node: Mapping[str, Any], part: str) -> dict[str, Any]:
    held = node.get(part) or {}
    return {**node, part: {**held, "value": FILLED}} if held.get("value") else dict(node)


def _masked_snapshot(snapshot: Mapping[str, Any], places: Collection[tuple[int, int]]) -> dict[str, Any]:
    """Fields hold their value as an attribute, as what was typed, and as text of nodes inside them."""
    table = _Strings([*snapshot["strings"], FILLED])
    documents = []
    for number, document in enumerate(snapshot["documents"]):
        fields = {index for place, index in places if place == number}
        documents.append(_masked_document(document, fields, table) if fields else document)
    return {**snapshot, "documents": documents, "strings": table.without_hidden(documents)}


@dataclass
class _Strings:
    """The snapshot's table of strings, FILLED last, and which of them were hidden."""

    strings: list[str]
    hidden: set[int] = field(default_factory=set)

    def hide(self, value: int) -> int:
        """The index to put in place of a value's."""
        if value < 0 or not self.strings[value].strip():
            return value
        self.hidden.add(value)
        return len(self.strings) - 1

    def without_hidden(self, documents: list[Any]) -> list[str]:
        """The strings, less those hidden ones that nothing else of the page says."""
        used = {index for document in documents for index in _string_indexes(document)}
        gone = self.hidden - used
        return ["" if index in gone else text for index, text in enumerate(self.strings)]


def _string_indexes(document: Mapping[str, Any]) -> Iterator[int]:
    nodes = document["nodes"]
    yield from nodes["nodeName"]
    yield from nodes.get("nodeValue") or ()
    for flat in nodes["attributes"]:
        yield from flat
    for part in ("inputValue", "textValue", "currentSourceURL", "pseudoType"):
        yield from (nodes.get(part) or {}).get("value", ())
    yield from (document.get("layout") or {}).get("text", ())


def _masked_document(document: Mapping[str, Any], fields: set[int], table: _Strings) -> dict[str, Any]:
    nodes, within = dict(document["nodes"]), inside(document, fields)
    nodes["attributes"] = [
        _masked_attributes(flat, table) if index in fields else flat for index, flat in enumerate(nodes["attributes"])
    ]
    texts = enumerate(nodes.get("nodeValue") or ())
    nodes["nodeValue"] = [table.hide(value) if index in within else value for index, value in texts]
    for part in ("inputValue", "textValue"):
        if rare := nodes.get(part):  # CDP's sparse columns: `index` says which nodes have a `value`
            pairs = zip(rare["index"], rare["value"], strict=True)
            nodes[part] = {**rare, "value": [table.hide(value) if one in within else value for one, value in pairs]}
    layout = dict(document.get("layout") or {})
    if layout.get("text"):
        pairs = zip(layout["nodeIndex"], layout["text"], strict=True)
        layout["text"] = [table.hide(value) if index in within else value for index, value in pairs]
    return {**document, "nodes": nodes, "layout": layout}


def _masked_attributes(flat: list[int], table: _Strings) -> list[int]:
    masked = list(flat)
    for place in range(0, len(flat) - 1, 2):
        if table.strings[flat[place]].casefold() == "value":
            masked[place + 1] = table.hide(flat[place + 1])
    return masked
