"""A small MCP server for the proxy's tests: pages like a browser server's, and every way to misbehave.

Usage: python tests/servers/mcp_server.py"""

from __future__ import annotations

import os
import sys
from typing import Any

import anyio
import mcp_types as types
from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server

WIRE = os.dup(1)  # the way to the client, past the SDK, for garbage
NAMES = ("page_snapshot", "click_row", "prose", "image", "broken", "die", "garbage", "never", "echo")


def page(rows: int = 300, clicked: int = 0, extra: str = "") -> str:
    lines = ["- generic [active] [ref=e1]:", '  - heading "Orders" [level=1] [ref=e2]']
    for n in range(rows):
        mark = " [checked]" if n == clicked and clicked else ""
        lines += [
            f'  - row "Order {n}" [ref=e{10 + 2 * n}]:',
            f'    - button "Open order {n}"{mark} [ref=e{11 + 2 * n}]',
        ]
    body = "\n".join([*lines, extra] if extra else lines)
    head = "### Page\n- Page URL: http://shop.test/orders\n- Page Title: Orders\n### Snapshot\n```yaml\n"
    return f"{head}{body}\n```"


def answer(tool: str, arguments: dict[str, Any]) -> types.CallToolResult:
    match tool:
        case "page_snapshot":
            text = page(arguments.get("rows", 300), extra=arguments.get("extra", ""))
        case "click_row":
            text = page(clicked=arguments.get("row", 7))
        case "image":
            return types.CallToolResult(content=[types.ImageContent(type="image", data="aGk=", mime_type="image/png")])
        case "broken":
            return types.CallToolResult(content=[types.TextContent(type="text", text="no such ref e9")], is_error=True)
        case "echo":
            text = repr(sorted(arguments.items()))
        case _:
            text = "Three files were written.\nNothing else happened."
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)])


async def list_tools(_: Any, __: Any) -> types.ListToolsResult:
    schema = {"type": "object", "properties": {}, "additionalProperties": True}
    return types.ListToolsResult(tools=[types.Tool(name=name, input_schema=schema) for name in NAMES])


async def call_tool(_: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
    if params.name == "die":
        sys.stderr.write("out of memory, giving up\n")
        sys.stderr.flush()
        os._exit(7)
    if params.name == "garbage":
        os.write(WIRE, b'this is no message\n{"jsonrpc": "2.0", "half": \n')
    if params.name == "never":
        await anyio.sleep_forever()
    return answer(params.name, params.arguments or {})


async def main() -> None:
    async with stdio_server() as (read, write):
        server = Server("small", on_list_tools=list_tools, on_call_tool=call_tool)
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    anyio.run(main)
