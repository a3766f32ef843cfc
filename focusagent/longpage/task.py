"""A LongPage task as BrowserGym knows it: setup starts the site's server, validation reads the server's state."""

from __future__ import annotations

import random
from typing import Any

import playwright.sync_api
from browsergym.core.task import AbstractBrowserTask

from focusagent.longpage.names import TaskName
from focusagent.longpage.server import SiteServer
from focusagent.longpage.sites import SITES

_FIRST_PAGE = 30_000  # milliseconds: a page of 130k tokens on a machine that is busy


class LongPageTask(AbstractBrowserTask):
    """One episode of the template that `name` names, with the content and the goal that the seed gives."""

    def __init__(self, seed: int, name: str) -> None:
        super().__init__(seed)
        self.name = TaskName.parse(name)
        self.slow_mo, self.timeout = 0, 5_000
        site = SITES[self.name.site]
        self.template = site.tasks[self.name.task]
        self.state = site.state(seed, self.name.size)
        draw = random.Random(f"{name}/{seed}")
        self.posed = self.template.pose(self.state, draw)
        self.goal = self.template.goal(self.posed, draw)
        self.state.eventful = self.name.events
        self.server = SiteServer(site.app(self.state))

    def setup(self, page: playwright.sync_api.Page) -> tuple[str, dict[str, Any]]:
        self.origin = self.server.start()
        page.goto(self.origin + self.posed.start, timeout=_FIRST_PAGE)
        return self.goal, {"origin": self.origin, "task": str(self.name)}

    def validate(
        self, page: playwright.sync_api.Page, chat_messages: list[dict[str, str]]
    ) -> tuple[float, bool, str, dict[str, Any]]:
        said = [message["message"] for message in chat_messages[1:] if message["role"] == "assistant"]
        verdict = self.posed.outcome.judge(self.state, said)
        info = {"progress": verdict.progress, "note": verdict.note}
        return float(verdict.success), verdict.done, "", info

    def teardown(self) -> None:
        self.server.stop()
