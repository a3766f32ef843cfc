"""An application's task as BrowserGym knows it: setup restores the seeded copy, validation reads its database."""

from __future__ import annotations

import atexit
import random
from typing import Any

import playwright.sync_api
from browsergym.core.task import AbstractBrowserTask

from focusagent.apps.app import APPS
from focusagent.apps.database import World
from focusagent.apps.names import AppTaskName
from focusagent.apps.server import AppServer
from focusagent.apps.snapshot import cookies
from focusagent.apps.state import AppState

_FIRST_PAGE = 60_000  # milliseconds: the first page after a start compiles templates, on a machine that is busy
_SERVERS: dict[str, AppServer] = {}


class AppTask(AbstractBrowserTask):
    """One episode of the template that `name` names, with the content and the goal that the seed gives. A process keeps
    one running copy an application and puts it back between episodes, which in one process follow one another."""

    def __init__(self, seed: int, name: str) -> None:
        super().__init__(seed)
        self.name = AppTaskName.parse(name)
        self.slow_mo, self.timeout = 0, 10_000
        self.app = APPS[self.name.app]
        self.template = self.app.templates[self.name.task]
        self.seed = seed
        self.state: AppState | None = None

    def setup(self, page: playwright.sync_api.Page) -> tuple[str, dict[str, Any]]:
        server = running_copy(self.app.name)
        start = server.reset(self.seed)
        world = World(start, self.app.spec.database)
        draw = random.Random(f"{self.name}/{self.seed}")
        try:
            self.posed = self.template.pose(world, draw)
        finally:
            world.close()
        goal = self.template.goal(self.posed, draw)
        self.state, self.origin = AppState(start, server.data, self.app.spec), server.origin
        for cookie in cookies(start, self.template.login):
            page.context.add_cookies([{"name": cookie["name"], "value": cookie["value"], "url": self.origin}])
        page.goto(self.origin + self.posed.start, timeout=_FIRST_PAGE)
        return goal, {"origin": self.origin, "task": str(self.name)}

    def validate(
        self, page: playwright.sync_api.Page, chat_messages: list[dict[str, str]]
    ) -> tuple[float, bool, str, dict[str, Any]]:
        if self.state is None:
            return 0.0, False, "", {"progress": 0.0, "note": "not set up"}
        said = [message["message"] for message in chat_messages[1:] if message["role"] == "assistant"]
        self.state.address = page.url.removeprefix(self.origin) if page.url.startswith(self.origin) else ""
        verdict = self.posed.outcome.judge(self.state, said)
        return float(verdict.success), verdict.done, "", {"progress": verdict.progress, "note": verdict.note}

    def teardown(self) -> None:
        if self.state is not None:
            self.state.close()


def running_copy(app: str) -> AppServer:
    """This process's copy of the application, started at its first reset and stopped when the process ends."""
    if app not in _SERVERS:
        _SERVERS[app] = AppServer(APPS[app])
        atexit.register(_SERVERS[app].stop)
    return _SERVERS[app]


def stop_copies() -> None:
    """Stop every copy of this process now."""
    for server in _SERVERS.values():
        server.stop()
