"""The argument and the tools that the proxy adds to a server's own."""

from __future__ import annotations

import copy
import re
from typing import Any

LOOKING_FOR = "looking_for"
PAGE_LINES, PAGE_FIND, PAGE_FULL = "page_lines", "page_find", "page_full"
OWN = (PAGE_LINES, PAGE_FIND, PAGE_FULL)

# Tools of the known servers that answer with a page, or act on one; another joins once it has answered with a page.
_ANSWERS_PAGE = re.compile(
    r"snapshot|navigate|click|type|fill|select|hover|press|wait|drag|drop|tabs|dialog|upload", re.I
)
# After these a client expects the page itself, never only what changed on it.
_SHOWS_WHOLE = re.compile(r"snapshot|navigate|tab|page", re.I)

_WANTED = {
    "type": "string",
    "description": "What you need from the page after this step, in your words; the answer shows the lines for it.",
}
_URL = {"type": "string", "description": "Of an earlier page; default: the page answered last."}


def shows_whole(tool: str) -> bool:
    return bool(_SHOWS_WHOLE.search(tool))


class Tools:
    """Which tools take our argument; learnt from the server's lists and from its answers."""

    def __init__(self) -> None:
        self._own_argument: set[str] = set()
        self._theirs: set[str] = set()
        self._learnt: set[str] = set()

    def learn(self, tool: str) -> None:
        """The tool has answered with a page: from the next list on it takes the argument."""
        self._learnt.add(tool)

    def is_ours(self, tool: str) -> bool:
        return tool in OWN and tool not in self._theirs

    def listed(self, result: dict[str, Any]) -> dict[str, Any]:
        """A `tools/list` result with our argument, and on its last page with our tools."""
        result = copy.deepcopy(result)
        tools = result.get("tools")
        if not isinstance(tools, list):
            return result
        for tool in tools:
            if isinstance(tool, dict) and isinstance(tool.get("name"), str):
                self._add_argument(tool, tool["name"])
        if not result.get("nextCursor"):
            tools.extend(tool for tool in _own_tools() if self.is_ours(tool["name"]))
        return result

    def _add_argument(self, tool: dict[str, Any], name: str) -> None:
        self._theirs.add(name)
        schema = tool.get("inputSchema")
        properties = schema.setdefault("properties", {}) if isinstance(schema, dict) else None
        if not isinstance(properties, dict):
            return
        if LOOKING_FOR in properties:
            self._own_argument.add(name)
        elif _ANSWERS_PAGE.search(name) or name in self._learnt or "includeSnapshot" in properties:
            properties[LOOKING_FOR] = _WANTED

    def split(self, params: dict[str, Any]) -> tuple[dict[str, Any], str | None]:
        """The parameters of a call without our argument, and what it says; None where the call does not say."""
        arguments = params.get("arguments")
        if not isinstance(arguments, dict) or LOOKING_FOR not in arguments or params.get("name") in self._own_argument:
            return params, None
        rest = {name: value for name, value in arguments.items() if name != LOOKING_FOR}
        said = arguments[LOOKING_FOR]
        return {**params, "arguments": rest}, said.strip() or None if isinstance(said, str) else None


def _own_tools() -> list[dict[str, Any]]:
    number = {"type": "integer", "minimum": 1}
    return [
        _tool(
            PAGE_LINES,
            "Lines of the page answered last, by the numbers that a `... pruned N lines ...` placeholder tells.",
            {"first": number, "last": number, "url": _URL},
            ["first", "last"],
        ),
        _tool(
            PAGE_FIND,
            "Lines of the page answered last, hidden ones too, that hold all words of a text, with their refs.",
            {"text": {"type": "string"}, "url": _URL},
            ["text"],
        ),
        _tool(PAGE_FULL, "The whole page answered last; long.", {"url": _URL}, []),
    ]


def _tool(name: str, description: str, properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    hints = {"readOnlyHint": True, "openWorldHint": False}
    return {"name": name, "description": description, "inputSchema": schema, "annotations": hints}
