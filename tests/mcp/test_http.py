import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import anyio
import httpx
import pytest
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

from tests.mcp.test_proxy import RUN, SERVER, text


@pytest.fixture
def address() -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen([sys.executable, *RUN, "--http", str(port), "--", sys.executable, SERVER])
    until = time.monotonic() + 60
    while time.monotonic() < until:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
    yield f"http://127.0.0.1:{port}/mcp"
    os.kill(process.pid, signal.SIGINT)
    process.wait(30)


def test_two_clients_over_http_each_have_a_server_and_a_memory(address: str) -> None:
    async def play() -> None:
        async with streamable_http_client(address) as streams, ClientSession(*streams[:2]) as one:
            await one.initialize()
            shown = await one.call_tool("page_snapshot", {"looking_for": "open order 123"})
            assert "[ref=e257]" in text(shown)
            async with streamable_http_client(address) as others, ClientSession(*others[:2]) as two:
                await two.initialize()
                assert "no page" in text(await two.call_tool("page_full", {}))
            assert "[ref=e558]" in text(await one.call_tool("page_find", {"text": "order 274"}))

    with ThreadPoolExecutor(1) as alone:  # a thread in which Playwright runs no event loop
        alone.submit(anyio.run, play).result()


def test_a_web_page_cannot_reach_it_by_another_name(address: str) -> None:
    answer = httpx.post(address, json={}, headers={"host": "evil.example"})
    assert answer.status_code in (421, 403)
    answer = httpx.post(address, json={}, headers={"mcp-session-id": "unknown"})
    assert answer.status_code == 404
