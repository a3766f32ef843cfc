"""A site's server for one episode: uvicorn in a thread of this process, on a free loopback port."""

from __future__ import annotations

import socket
import threading
import time

import uvicorn
from starlette.types import ASGIApp

START_SECONDS, STOP_SECONDS = 10.0, 5.0


class SiteServer:
    """Serves `app` from `start` to `stop`. The thread is a daemon: a process that dies takes its server along."""

    def __init__(self, app: ASGIApp) -> None:
        config = uvicorn.Config(app, log_level="critical", lifespan="off", ws="none", access_log=False)
        self._server = uvicorn.Server(config)
        self._socket = socket.socket()
        self._thread = threading.Thread(target=self._serve, name="longpage-site", daemon=True)

    def start(self) -> str:
        """The origin, such as `http://127.0.0.1:40123`. Raises RuntimeError when the server does not come up."""
        self._socket.bind(("127.0.0.1", 0))
        origin = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self._thread.start()
        until = time.monotonic() + START_SECONDS
        while not self._server.started:
            if time.monotonic() > until or not self._thread.is_alive():
                self.stop()
                raise RuntimeError("the site's server did not start")
            time.sleep(0.01)
        return origin

    def join(self) -> None:
        """Wait until the server has stopped."""
        self._thread.join()

    def stop(self) -> None:
        """Close connections and the port; harmless when it is stopped already."""
        self._server.should_exit = self._server.force_exit = True
        if self._thread.is_alive():
            self._thread.join(STOP_SECONDS)
        self._socket.close()

    def _serve(self) -> None:
        self._server.run(sockets=[self._socket])
