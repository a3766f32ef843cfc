"""The wrapped server: its process, its messages, its last words."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from subprocess import PIPE

import anyio
import mcp_types as types
from anyio.abc import Process

from focusagent.errors import UserError
from focusagent.printing import printable, say

GRACE = 3.0
LAST_LINES = 5


class Child:
    """A server on standard input and output. What it writes to standard error is passed on; the last lines are kept."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._last: deque[str] = deque(maxlen=LAST_LINES)
        self.garbage = 0
        self._sending = anyio.Lock()

    @classmethod
    async def start(cls, command: Sequence[str]) -> Child:
        """Raises UserError where the command cannot be started."""
        try:
            process = await anyio.open_process(command, stdin=PIPE, stdout=PIPE, stderr=PIPE, start_new_session=True)
        except OSError as error:
            raise UserError(f"cannot start {command[0]}: {error.strerror or error}", 127) from error
        return cls(process)

    async def messages(self) -> AsyncIterator[types.JSONRPCMessage]:
        """Each message, until the server closes its output. A line that is none is counted and told, not passed on."""
        assert self._process.stdout is not None
        parts: list[bytes] = []
        with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
            async for chunk in self._process.stdout:
                head, *lines = chunk.split(b"\n")
                parts.append(head)
                for line in lines:
                    if message := self._read(b"".join(parts)):
                        yield message
                    parts = [line]
        if message := self._read(b"".join(parts)):
            yield message

    def _read(self, line: bytes) -> types.JSONRPCMessage | None:
        if not line.strip():
            return None
        try:
            message: types.JSONRPCMessage = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
        except ValueError:
            self.garbage += 1
            self._tell(line[:300])
            return None
        return message

    async def send(self, message: types.JSONRPCMessage) -> None:
        """Raises nothing where the server is gone: its end is seen by whoever reads."""
        assert self._process.stdin is not None
        data = message.model_dump_json(by_alias=True, exclude_unset=True) + "\n"
        async with self._sending:
            with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError, OSError):
                await self._process.stdin.send(data.encode())

    async def pass_errors_on(self) -> None:
        """Until the server closes its standard error."""
        assert self._process.stderr is not None
        rest = b""
        with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
            async for chunk in self._process.stderr:
                *lines, rest = (rest + chunk).split(b"\n")
                for line in lines:
                    self._tell(line)
                rest = rest[-10_000:]
        if rest:
            self._tell(rest)

    def _tell(self, line: bytes) -> None:
        text = line.decode(errors="replace")
        if text.strip():
            self._last.append(printable(text)[:500])
        say(text, error=True)

    @property
    def last_words(self) -> str:
        return " / ".join(self._last)

    async def end_input(self) -> None:
        """No more messages: a server then ends by itself."""
        assert self._process.stdin is not None
        with suppress(OSError, anyio.BrokenResourceError):
            await self._process.stdin.aclose()

    async def stop(self) -> int:
        """Close its input, wait, then end it and all that it started. Its exit code; 128 + N for signal N."""
        with anyio.CancelScope(shield=True):
            await self.end_input()
            for number in (signal.SIGTERM, signal.SIGKILL):
                if await self._ended():
                    break
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(self._process.pid, number)
            await self._ended()
        code = self._process.returncode
        return 1 if code is None else code if code >= 0 else 128 - code

    async def _ended(self) -> bool:
        # Polled: Process.wait also waits for pipes that a grandchild may hold open.
        with anyio.move_on_after(GRACE):
            while self._process.returncode is None:
                await anyio.sleep(0.01)
        return self._process.returncode is not None
