"""The attacker's server: one small page on the port that the attack names, for as long as an episode lasts."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PAGE = b"<!doctype html><title>Desk</title><h1>Desk</h1><p>You have arrived.</p>"


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.server.visits += 1  # type: ignore[attr-defined]
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, *_: Any) -> None:
        """Visits are counted, not printed."""


class TargetServer:
    """Counts visits to any page of it. DoomArena's own server has a fixed port and never stops."""

    def __init__(self, host: str) -> None:
        name, _, port = host.rpartition(":")
        self._server = ThreadingHTTPServer((name, int(port)), _Handler)
        self._server.visits = 0  # type: ignore[attr-defined]
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    @property
    def visits(self) -> int:
        return int(self._server.visits)  # type: ignore[attr-defined]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
