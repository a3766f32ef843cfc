"""The proxy on standard input and output, or at an address."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import AsyncIterator, Sequence
from typing import Any, cast

import anyio
import anyio.from_thread
from mcp.server.stdio import stdio_server

from focusagent.mcp.child import Child
from focusagent.mcp.ledger import Ledger
from focusagent.mcp.proxy import Proxy
from focusagent.mcp.settings import Settings


class Lines:
    """Lines of standard input, read in a thread of its own: a read in one of anyio's could not be given up, and the
    proxy would outlive its server until the client says something."""

    def __init__(self) -> None:
        self._send, self._receive = anyio.create_memory_object_stream[str](0)
        self._loop = anyio.lowlevel.current_token()

    def start(self) -> None:
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        parts: list[bytes] = []
        try:
            while chunk := os.read(0, 1 << 16):
                head, *lines = chunk.split(b"\n")
                parts.append(head)
                for line in lines:
                    text = b"".join(parts).decode(errors="replace")
                    anyio.from_thread.run(self._send.send, text, token=self._loop)
                    parts = [line]
            anyio.from_thread.run_sync(self._send.close, token=self._loop)
        except (anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.RunFinishedError, RuntimeError, OSError):
            return

    def end(self) -> None:
        self._send.close()

    def __aiter__(self) -> AsyncIterator[str]:
        return self._receive.__aiter__()


async def serve_stdio(command: Sequence[str], settings: Settings) -> tuple[int, Ledger]:
    """The exit code of the wrapped server, and what was done. Raises UserError where the server cannot be started."""
    ledger = Ledger(settings.log)
    child = await Child.start(command)
    proxy = Proxy(child, settings, ledger)
    threading.Thread(target=proxy.answers.warm_up, daemon=True).start()  # while the server starts
    lines = Lines()
    lines.start()
    try:
        async with stdio_server(stdin=cast(Any, lines)) as (read, write):
            async with anyio.create_task_group() as group:
                group.start_soon(_until_told, group.cancel_scope)
                await proxy.run(read, write.send)
                group.cancel_scope.cancel()
            lines.end()
            await write.aclose()
    finally:
        code = await child.stop()
    return code, ledger


async def _until_told(scope: anyio.CancelScope) -> None:
    """End in good order on SIGTERM and SIGINT: the server's browser must not stay behind."""
    if sys.platform == "win32":
        return
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async for _ in signals:
            scope.cancel()
            return
