"""Fuzz of the four transports: any status, any body, and what comes back is an answer or a ModelError.

    python experiments/fuzz_transports.py [MINUTES] [--seed N]

A server on this machine answers each request with a damaged reply, an error in any wording of the table, figures of
any kind, or bytes. What must hold: no other exception than ModelError, a finite cost or none, few requests a call.
"""

from __future__ import annotations

import argparse
import json
import random
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from focusagent.models.client import ChatClient, make_client
from focusagent.models.dialects import rows
from focusagent.models.endpoint import Endpoint
from focusagent.models.failure import ModelError
from focusagent.models.habits import MOST_LESSONS
from focusagent.models.retry import RetryPolicy

PROMPT = [{"role": "system", "content": "Be short."}, {"role": "user", "content": "Hello " * 50}]
SCHEMA = {"type": "object", "properties": {"answer": {"type": "string"}}}
VALUES: tuple[Any, ...] = (
    None,
    {},
    [],
    {"total_cost": 1},
    [1],
    "x",
    "12",
    "",
    -1,
    0,
    0.5,
    True,
    10**30,
    1e300,
    float("nan"),
    "\x1b[31m\u202e",
    {"a": {"b": []}},
)
NAMES = (
    "choices message content text type role usage prompt_tokens completion_tokens input_tokens output_tokens cost id"
    " finish_reason stop_reason reasoning reasoning_content refusal error code param detail prompt_tokens_details"
    " cached_tokens model object"
).split()
MOST_REQUESTS = 2 * (MOST_LESSONS + 1) + 2


class Answers(ThreadingHTTPServer):
    """`reply` is what the next requests get; `asked` counts them."""

    daemon_threads = True
    reply: tuple[int, bytes, str] = (200, b"{}", "application/json")
    asked = 0


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("content-length") or 0))
        server: Any = self.server
        server.asked += 1
        status, body, kind = server.reply
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Not on the terminal."""


def _value(draw: random.Random, depth: int) -> Any:
    if depth and draw.random() < 0.5:
        size = draw.randrange(4)
        if draw.random() < 0.3:
            return [_value(draw, depth - 1) for _ in range(size)]
        return {draw.choice(NAMES): _value(draw, depth - 1) for _ in range(size)}
    return draw.choice(VALUES)


def _reply(draw: random.Random) -> Any:
    """A good reply of both protocols at once, with some fields replaced."""
    usage: dict[str, Any] = {"prompt_tokens": 9, "completion_tokens": 2, "input_tokens": 9, "output_tokens": 2}
    message: dict[str, Any] = {"role": "assistant", "content": "Hi"}
    choice: dict[str, Any] = {"index": 0, "finish_reason": "stop", "message": message}
    body: dict[str, Any] = {
        "id": "1",
        "model": "m",
        "object": "chat.completion",
        "created": 0,
        "type": "message",
        "role": "assistant",
        "choices": [choice],
        "content": [{"type": "text", "text": "Hi"}],
        "usage": usage,
    }
    for _ in range(draw.randrange(5)):
        place = draw.choice([usage, message, choice, body, body["usage"] if isinstance(body["usage"], dict) else body])
        place[draw.choice(NAMES)] = _value(draw, 3)
    return body


def _error(draw: random.Random) -> Any:
    row = draw.choice(rows())
    words = row.example.split()
    if draw.random() < 0.5:
        draw.shuffle(words)
    message = " ".join(words) if draw.random() < 0.9 else _value(draw, 2)
    error = {"message": message, **row.fields, draw.choice(NAMES): _value(draw, 2)}
    return draw.choice([{"error": error}, error, {"detail": [error]}, {"error": message}, [error], message])


def answer(draw: random.Random) -> tuple[int, bytes, str]:
    """Status, body and type of one reply."""
    kind = draw.choice(["application/json"] * 9 + ["text/html"])
    match draw.randrange(10):
        case 0:
            return 200, draw.randbytes(draw.randrange(80)), kind
        case 1:
            return 200, b"[" * draw.randrange(20_000), kind
        case 2 | 3 | 4 | 5:
            data = _reply(draw)
            return 200, json.dumps(data).encode("utf-8", "replace"), kind
        case _:
            status = draw.choice([400, 400, 400, 422, 401, 402, 403, 404, 408, 409, 413, 429, 500, 502, 503, 529])
            return status, json.dumps(_error(draw)).encode("utf-8", "replace"), kind


def _clients(root: str) -> dict[str, ChatClient]:
    once = RetryPolicy(2, 0.0, 0.0)
    ends: list[Endpoint] = [
        Endpoint("m", "self-hosted", "openai", f"{root}/v1", key="k", temperature=0.1, max_new=9_000),
        Endpoint("m", "anthropic", "anthropic", root, key="k", temperature=0.1, max_new=9_000),
        Endpoint("openai/m", "litellm", "litellm", f"{root}/v1", key="k", temperature=0.1, max_new=9_000),
        Endpoint("own", "own", "own", args=_Own(f"{root}/v1")),
    ]
    return {end.protocol: make_client(end, timeout=20.0, retry=once) for end in ends}


class _Own:
    """A user's own model: it hands on whatever its server says, figures included."""

    def __init__(self, address: str) -> None:
        self.address = address

    def make_model(self) -> Any:
        import httpx
        from agentlab.llm import tracking

        def model(messages: Any) -> Any:
            reply = httpx.post(f"{self.address}/chat/completions", json={"messages": messages}, timeout=20)
            data = json.loads(reply.content)
            for name in ("input_tokens", "output_tokens", "cost"):
                setattr(tracking.TRACKER.instance, name, data["usage"][name])
            return data["choices"][0]["message"]

        return model


def _check(call: Any) -> None:
    assert 0 <= call.input_tokens <= 10**10
    assert call.cost is None or 0 <= call.cost < float("inf")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("minutes", type=float, nargs="?", default=5.0)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    server = Answers(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    root = f"http://127.0.0.1:{server.server_port}"
    ends, count, outcomes = time.monotonic() + 60 * options.minutes, 0, Counter[str]()
    clients = _clients(root)
    while time.monotonic() < ends:
        draw = random.Random(f"{options.seed}/{count}")
        # What a client has learnt stays with it for a while, as in a study.
        clients = _clients(root) if count % 200 == 0 else clients
        server.reply, server.asked = answer(draw), 0
        protocol = draw.choice(list(clients))
        try:
            call = clients[protocol].complete(PROMPT, schema=SCHEMA)
            outcomes["answered"] += 1
        except ModelError as error:
            if error.call is None:
                raise
            call = error.call
            outcomes[str(error.failure)] += 1
        except BaseException:
            print(f"input {options.seed}/{count} ({protocol}) raised: {server.reply}", flush=True)
            raise
        _check(call)
        assert server.asked <= MOST_REQUESTS, f"input {options.seed}/{count} ({protocol}): {server.asked} requests"
        count += 1
    print(f"{count} replies, no exception: {dict(outcomes.most_common())}")


if __name__ == "__main__":
    main()
