import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.shared.exceptions import MCPError

SERVER = str(Path(__file__).parents[1] / "servers" / "mcp_server.py")
RUN = ["-c", "from focusagent.cli import main; main()", "mcp"]


@asynccontextmanager
async def proxied(*options: str) -> AsyncIterator[ClientSession]:
    args = [*RUN, *options, "--", sys.executable, SERVER]
    parameters = StdioServerParameters(command=sys.executable, args=args, env=dict(os.environ))
    async with stdio_client(parameters) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        yield session


def text(result: Any) -> str:
    return "\n".join(item.text for item in result.content)


def test_the_official_client_works_through_the_proxy(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"

    async def play() -> None:
        async with proxied("--log", str(log), "--allow-origins", "http://shop.test") as session:
            tools = {tool.name: tool for tool in (await session.list_tools()).tools}
            assert {"page_lines", "page_find", "page_full"} <= tools.keys()
            assert "looking_for" in tools["page_snapshot"].input_schema["properties"]
            shown = await session.call_tool("page_snapshot", {"looking_for": "open order 123"})
            assert "[ref=e257]" in text(shown)
            assert "[ref=e558]" in text(await session.call_tool("page_find", {"text": "order 274"}))
            assert text(await session.call_tool("echo", {"a": 1, "looking_for": "x"})) == "[('a', 1)]"
            assert (await session.call_tool("image", {})).content[0].type == "image"
            assert (await session.call_tool("broken", {})).is_error
            assert "written" in text(await session.call_tool("garbage", {}))
            assert "refused" in text(await session.call_tool("echo", {"url": "http://evil.example"}))
            with anyio.move_on_after(0.3):
                await session.call_tool("never", {})
            assert "written" in text(await session.call_tool("prose", {}))
            with pytest.raises(MCPError, match=r"ended with code 7.*out of memory"):
                await session.call_tool("die", {})

    with ThreadPoolExecutor(1) as alone:  # a thread in which Playwright runs no event loop
        alone.submit(anyio.run, play).result()
    entries = [json.loads(line) for line in log.read_text().splitlines()]
    assert [entry["kind"] for entry in entries[:2]] == ["page", "own"]
    assert entries[0]["before"] > entries[0]["after"] > 0


def lines(*messages: dict[str, Any]) -> str:
    return "".join(json.dumps({"jsonrpc": "2.0", **message}) + "\n" for message in messages)


def test_the_servers_death_ends_the_proxy_with_its_code_and_every_request_is_answered() -> None:
    hello = {
        "protocolVersion": types.LATEST_PROTOCOL_VERSION,
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    }
    process = subprocess.Popen(
        [sys.executable, *RUN, "--", sys.executable, SERVER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    process.stdin.write(
        lines(
            {"id": 1, "method": "initialize", "params": hello},
            {"method": "notifications/initialized"},
            {"id": "slow", "method": "tools/call", "params": {"name": "never", "arguments": {}}},
            {"id": 3, "method": "tools/call", "params": {"name": "die", "arguments": {}}},
        )
    )
    process.stdin.flush()
    code = process.wait(60)  # standard input stays open: the client has said nothing of ending
    out, errors = process.communicate()
    answers = {message["id"]: message for message in map(json.loads, out.splitlines())}
    assert answers.keys() == {1, "slow", 3}
    assert all("out of memory" in answers[id]["error"]["message"] for id in ("slow", 3))
    assert code == 7
    assert "focusagent mcp: 0 answers" in errors


def test_a_command_that_does_not_exist_is_one_line() -> None:
    command = [sys.executable, *RUN, "--", "/no/such/server"]
    done = subprocess.run(command, input="", capture_output=True, text=True, timeout=60)
    assert done.returncode == 127
    assert done.stderr.strip() == "focusagent: cannot start /no/such/server: No such file or directory"
