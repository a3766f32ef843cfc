"""The proxy at an address of this machine: streamable HTTP, one wrapped server a client session."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from uuid import uuid4

import anyio
import uvicorn
from anyio.abc import TaskGroup, TaskStatus
from mcp.server.streamable_http import MCP_SESSION_ID_HEADER, StreamableHTTPServerTransport
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import Message, Receive, Scope
from starlette.types import Send as SendHTTP

from focusagent.mcp.child import Child
from focusagent.mcp.ledger import Ledger
from focusagent.mcp.proxy import Proxy
from focusagent.mcp.settings import Settings

HOST, MAX_SESSIONS = "127.0.0.1", 20
# Only names of this machine: a web page must not reach the browser's server by a name that leads here.
_SECURITY = TransportSecuritySettings(
    enable_dns_rebinding_protection=True, allowed_hosts=["127.0.0.1:*", "localhost:*"], allowed_origins=[]
)


class Sessions:
    """An ASGI application: requests by session id, each new session with a server of its own."""

    def __init__(self, command: Sequence[str], settings: Settings, ledger: Ledger) -> None:
        self.command, self.settings, self.ledger = command, settings, ledger
        self._open: dict[str, StreamableHTTPServerTransport] = {}
        self._group: TaskGroup | None = None

    @asynccontextmanager
    async def lifespan(self, _: Starlette) -> AsyncIterator[None]:
        async with anyio.create_task_group() as self._group:
            yield
            self._group.cancel_scope.cancel()

    async def __call__(self, scope: Scope, receive: Receive, send: SendHTTP) -> None:
        session = Request(scope, receive).headers.get(MCP_SESSION_ID_HEADER)
        transport = self._open.get(session or "")
        if transport is None:
            if session or len(self._open) >= MAX_SESSIONS:
                status, said = (404, "no such session") if session else (503, "too many sessions")
                return await JSONResponse({"error": said}, status)(scope, receive, send)
            assert self._group is not None
            transport = await self._group.start(self._serve)
            return await _opened_by(transport, scope, receive, send)
        await transport.handle_request(scope, receive, send)

    async def _serve(self, *, task_status: TaskStatus[StreamableHTTPServerTransport]) -> None:
        session = uuid4().hex
        transport = StreamableHTTPServerTransport(session, security_settings=_SECURITY)
        child = await Child.start(self.command)
        self._open[session] = transport
        try:
            async with transport.connect() as (read, write):
                task_status.started(transport)
                await Proxy(child, self.settings, self.ledger).run(read, write.send)
        finally:
            self._open.pop(session, None)
            await child.stop()


async def _opened_by(transport: StreamableHTTPServerTransport, scope: Scope, receive: Receive, send: SendHTTP) -> None:
    """Answer a session's first request; where it is refused there is no session, and its server ends again."""
    statuses: list[int] = []

    async def watched(message: Message) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])
        await send(message)

    try:
        await transport.handle_request(scope, receive, watched)
    finally:
        if not statuses or statuses[0] >= 400:
            with anyio.CancelScope(shield=True):
                await transport.terminate()


async def serve_http(command: Sequence[str], settings: Settings, port: int) -> tuple[int, Ledger]:
    """Until the process is told to end. The address is http://127.0.0.1:PORT/mcp."""
    ledger = Ledger(settings.log)
    sessions = Sessions(command, settings, ledger)
    app = Starlette(routes=[Route("/mcp", endpoint=sessions)], lifespan=sessions.lifespan)
    await uvicorn.Server(uvicorn.Config(app, host=HOST, port=port, log_level="warning")).serve()
    return 0, ledger
