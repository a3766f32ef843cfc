"""A local server that speaks OpenAI's chat completions and Anthropic's messages, and fails in every way when told to.

Tests import nothing from here: they use the `llm_server` fixture and the methods of what it gives."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from focusagent.models.tokens import count_tokens

Answerer = Callable[[str], str]


@dataclass(frozen=True)
class Behaviour:
    """What happens to one request. `status` other than 200 is an error with `error` as its body."""

    status: int = 200
    error: dict[str, Any] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    drop: bool = False
    text: str | None = None
    extra: dict[str, Any] = field(default_factory=dict)
    without: tuple[str, ...] = ()
    usage: Any = None
    raw: str | None = None
    media_type: str = "text/plain"


@dataclass(frozen=True)
class Received:
    path: str
    body: dict[str, Any]
    headers: dict[str, str]

    @property
    def prompt(self) -> str:
        """All text of the request, the system's included."""
        system = self.body.get("system")
        texts = [system] if isinstance(system, str) else []
        for message in self.body["messages"]:
            content = message["content"]
            texts += [content] if isinstance(content, str) else [part.get("text", "") for part in content]
        return "\n".join(texts)


class Dropped(Response):
    """Announces a body and closes the connection instead of sending it."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        headers = [(b"content-type", b"application/json"), (b"content-length", b"1000")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b'{"id"', "more_body": False})


class LLMServer:
    """`answer` is a text, or a function of the prompt; `received` are the requests so far, in order. `models`
    is what `/v1/models` lists. Behaviours of `next` are used up one a request; then `always` holds."""

    def __init__(self) -> None:
        self.reset()
        routes = [
            Route("/v1/chat/completions", self._chat, methods=["POST"]),
            Route("/openai/v1/chat/completions", self._chat, methods=["POST"]),
            Route("/v1/messages", self._messages, methods=["POST"]),
            Route("/v1/models", lambda _: JSONResponse({"data": self.models}), methods=["GET"]),
            Route("/v1/embeddings", self._embeddings, methods=["POST"]),
        ]
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        config = uvicorn.Config(Starlette(routes=routes), host="127.0.0.1", port=self.port, log_level="critical")
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, daemon=True)

    def __enter__(self) -> LLMServer:
        self._thread.start()
        deadline = time.monotonic() + 20
        while not self._server.started:
            if time.monotonic() > deadline:
                raise TimeoutError("the test server did not start")
            time.sleep(0.01)
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join(10)

    @property
    def root(self) -> str:
        """The address for Anthropic's client."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        """The address for OpenAI's client."""
        return f"{self.root}/v1"

    def reset(self) -> None:
        self.answer: str | Answerer = "<answer>[(1, 1)]</answer>"
        self.received: list[Received] = []
        self.models: list[dict[str, Any]] = []
        self.always = Behaviour()
        self.next: deque[Behaviour] = deque()
        self.lock = threading.Lock()

    def then(self, *behaviours: Behaviour) -> None:
        self.next.extend(behaviours)

    @staticmethod
    def ok(text: str | None = None, **usage: Any) -> Behaviour:
        """An answer; `usage` replaces the server's own count."""
        return Behaviour(text=text, usage=usage or None)

    @staticmethod
    def status(status: int, message: str = "it failed", code: str = "", **headers: str) -> Behaviour:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return Behaviour(status=status, error={"message": message, "type": "error", "code": code}, headers=named)

    @staticmethod
    def refusing(status: int, message: str, **fields: Any) -> Behaviour:
        """An error whose body has other fields beside its message."""
        return Behaviour(status=status, error={"message": message} | fields)

    @staticmethod
    def dropped() -> Behaviour:
        return Behaviour(drop=True)

    @staticmethod
    def slow(seconds: float) -> Behaviour:
        return Behaviour(delay=seconds)

    @staticmethod
    def raw(text: str) -> Behaviour:
        """A reply of status 200 that is no JSON."""
        return Behaviour(raw=text)

    @staticmethod
    def body(data: Any) -> Behaviour:
        """A reply of status 200 with this body, whatever it is."""
        return Behaviour(raw=json.dumps(data), media_type="application/json")

    @staticmethod
    def lacking(*fields: str) -> Behaviour:
        """A reply without these of `choices` (or content) and `usage`."""
        return Behaviour(without=fields)

    @staticmethod
    def with_message(**fields: Any) -> Behaviour:
        """A reply whose message (OpenAI) or body (Anthropic) has other fields besides: refusal, content, ..."""
        return Behaviour(extra=fields)

    async def _take(self, request: Request) -> tuple[Received, Behaviour]:
        received = Received(request.url.path, await request.json(), dict(request.headers))
        with self.lock:
            self.received.append(received)
            behaviour = self.next.popleft() if self.next else self.always
        if behaviour.delay:
            await asyncio.sleep(behaviour.delay)
        return received, behaviour

    def _text(self, received: Received, behaviour: Behaviour) -> str:
        if behaviour.text is not None:
            return behaviour.text
        return self.answer(received.prompt) if callable(self.answer) else self.answer

    async def _chat(self, request: Request) -> Response:
        received, behaviour = await self._take(request)
        if (early := _early(behaviour)) is not None:
            return early
        text = self._text(received, behaviour)
        message = {"role": "assistant", "content": text}
        finish = behaviour.extra.get("finish_reason", "stop")
        message |= {name: value for name, value in behaviour.extra.items() if name != "finish_reason"}
        prompt, completion = count_tokens(received.prompt), count_tokens(text)
        usage = {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
        body = {
            "id": "chat-1",
            "object": "chat.completion",
            "created": 0,
            "model": received.body["model"],
            "choices": [{"index": 0, "finish_reason": finish, "message": message}],
            "usage": behaviour.usage or usage,
        }
        return JSONResponse(_without(body, behaviour), headers=behaviour.headers)

    async def _embeddings(self, request: Request) -> Response:
        """A text's vector counts its letters; the rows come in reverse order, as the protocol allows."""
        received, behaviour = await self._take(request)
        if (early := _early(behaviour)) is not None:
            return early
        texts = received.body["input"]
        rows = [
            {"object": "embedding", "index": index, "embedding": [float(text.count(letter)) for letter in "abcdefgh"]}
            for index, text in enumerate(texts)
        ]
        tokens = sum(map(count_tokens, texts))
        usage = {"prompt_tokens": tokens, "total_tokens": tokens}
        body = {"object": "list", "data": rows[::-1], "model": received.body["model"], "usage": usage}
        return JSONResponse(_without(body, behaviour), headers=behaviour.headers)

    async def _messages(self, request: Request) -> Response:
        received, behaviour = await self._take(request)
        if (early := _early(behaviour)) is not None:
            return early
        text = self._text(received, behaviour)
        usage = {"input_tokens": count_tokens(received.prompt), "output_tokens": count_tokens(text)}
        body = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": received.body["model"],
            "content": [{"type": "text", "text": text}],
            "stop_reason": "end_turn",
            "stop_sequence": None,
            "usage": behaviour.usage or usage,
        } | behaviour.extra
        return JSONResponse(_without(body, behaviour), headers=behaviour.headers)


def _early(behaviour: Behaviour) -> Response | None:
    if behaviour.drop:
        return Dropped()
    if behaviour.raw is not None:
        return Response(behaviour.raw, media_type=behaviour.media_type)
    if behaviour.status != 200:
        return JSONResponse({"error": behaviour.error}, behaviour.status, headers=behaviour.headers)
    return None


def _without(body: dict[str, Any], behaviour: Behaviour) -> dict[str, Any]:
    empty = {"choices", "content"} & set(behaviour.without)
    kept = {name: value for name, value in body.items() if name not in behaviour.without}
    return kept | {name: [] for name in empty if name in body}
