"""Two ways of messages: the client's to the wrapped server, the server's to the client, pages in answers focused."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.shared.message import ServerMessageMetadata, SessionMessage

from focusagent.mcp.answers import Answers, Asked
from focusagent.mcp.child import GRACE, Child
from focusagent.mcp.ledger import Entry, Ledger
from focusagent.mcp.linked import root_paths
from focusagent.mcp.own import answer_own
from focusagent.mcp.settings import Settings
from focusagent.mcp.tools import Tools

MAX_PENDING = 10_000
Send = Callable[[SessionMessage], Awaitable[None]]


@dataclass(frozen=True)
class Pending:
    """A client's request that the server has not answered."""

    method: str
    asked: Asked
    progress: Any = None


class Proxy:
    """One client and one server. Ids are passed on as they are, so each side's bookkeeping stays its own."""

    def __init__(self, child: Child, settings: Settings, ledger: Ledger) -> None:
        self.child = child
        self.settings = settings
        self.ledger = ledger
        self.answers = Answers(settings)
        self.tools = Tools()
        self._pending: OrderedDict[types.RequestId, Pending] = OrderedDict()
        self._roots_asked: set[types.RequestId] = set()
        self._one = anyio.CapacityLimiter(1)

    async def run(self, messages: AsyncIterator[SessionMessage | Exception], send: Send) -> None:
        """Until either side ends. Every request that the server leaves unanswered gets an error."""
        async with anyio.create_task_group() as group:

            async def from_client() -> None:
                async for message in messages:
                    if isinstance(message, SessionMessage):
                        await self._to_server(message.message, send)
                await self.child.end_input()
                await anyio.sleep(GRACE)  # what was asked before is still answered
                group.cancel_scope.cancel()

            group.start_soon(self.child.pass_errors_on)
            group.start_soon(from_client)
            async with anyio.create_task_group() as answering:
                async for message in self.child.messages():
                    if isinstance(message, types.JSONRPCResponse):
                        answering.start_soon(self._to_client, message, send)  # nothing waits while a page is focused
                    else:
                        await self._to_client(message, send)
            await anyio.sleep(0.05)  # what the server still says to standard error
            await self._end(send)
            group.cancel_scope.cancel()

    async def _to_server(self, message: types.JSONRPCMessage, send: Send) -> None:
        if isinstance(message, types.JSONRPCRequest):
            params = message.params or {}
            if message.method == "tools/call":
                tool = str(params.get("name"))
                params, wanted = self.tools.split(params)
                if result := await self._without_server(tool, params):
                    answer = types.JSONRPCResponse(jsonrpc="2.0", id=message.id, result=result)
                    return await send(SessionMessage(answer))
                arguments = params.get("arguments")
                tab = arguments.get("pageId", "") if isinstance(arguments, dict) else ""
                asked = Asked(tool, wanted, str(tab), time.time())
                if params is not message.params:
                    message = message.model_copy(update={"params": params})
            else:
                asked = Asked(started=time.time())
            meta = params.get("_meta")
            token = meta.get("progressToken") if isinstance(meta, dict) else None
            self._pending[message.id] = Pending(message.method, asked, token)
            if len(self._pending) > MAX_PENDING:
                self._pending.popitem(last=False)
        elif isinstance(message, types.JSONRPCResponse) and message.id in self._roots_asked:
            self._roots_asked.discard(message.id)
            roots = message.result.get("roots")
            uris = [root.get("uri") for root in roots if isinstance(root, dict)] if isinstance(roots, list) else []
            self.answers.roots = [*self.answers.roots[:1], *root_paths(uris)]
        await self.child.send(message)

    async def _without_server(self, tool: str, params: dict[str, Any]) -> dict[str, Any] | None:
        """The result of a call that is not the server's to answer: our own tools, and refused addresses."""
        arguments = params.get("arguments")
        if self.tools.is_ours(tool):
            result = await anyio.to_thread.run_sync(answer_own, self.answers, tool, arguments, limiter=self._one)
            self.ledger.add(Entry(tool, "own"))
            return result
        url = arguments.get("url") if isinstance(arguments, dict) else None
        if isinstance(url, str) and not self.settings.allows(url):
            self.ledger.add(Entry(tool, "refused"))
            text = f"refused: only these sites are allowed: {', '.join(self.settings.allow_origins)}"
            return {"content": [{"type": "text", "text": text}], "isError": True}
        return None

    async def _to_client(self, message: types.JSONRPCMessage, send: Send) -> None:
        related: types.RequestId | None = None
        if isinstance(message, types.JSONRPCResponse):
            message = message.model_copy(update={"result": await self._result(message)})
        elif isinstance(message, types.JSONRPCError):
            if message.id is not None:
                self._pending.pop(message.id, None)
        elif isinstance(message, types.JSONRPCRequest) and message.method == "roots/list":
            self._roots_asked.add(message.id)
        elif message.method == "notifications/progress":
            token = (message.params or {}).get("progressToken")
            related = next((id for id, pending in self._pending.items() if pending.progress == token), None)
        await send(SessionMessage(message, ServerMessageMetadata(related_request_id=related) if related else None))

    async def _result(self, message: types.JSONRPCResponse) -> dict[str, Any]:
        # A cancelled request may still be answered: whatever looks like a tool's answer is treated as one.
        pending = self._pending.get(message.id) or Pending("", Asked())
        result = message.result
        if pending.method == "tools/list":
            result = self.tools.listed(result)
        elif "content" in result or pending.method == "tools/call":
            result, entry = await anyio.to_thread.run_sync(
                self.answers.rewrite, result, pending.asked, limiter=self._one
            )
            if entry.kind in ("page", "linked"):
                self.tools.learn(pending.asked.tool)
            self.ledger.add(entry)
        self._pending.pop(message.id, None)
        return result

    async def _end(self, send: Send) -> None:
        code = await self.child.stop()
        words = f": {self.child.last_words}" if self.child.last_words else ""
        error = types.ErrorData(code=types.INTERNAL_ERROR, message=f"the wrapped server ended with code {code}{words}")
        for id in list(self._pending):
            await send(SessionMessage(types.JSONRPCError(jsonrpc="2.0", id=id, error=error)))
        self._pending.clear()
