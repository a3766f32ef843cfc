"""An episode without a browser: the state, what was asked, and a client of the site's server."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from starlette.testclient import TestClient

from focusagent.longpage.names import TaskName
from focusagent.longpage.outcome import Verdict
from focusagent.longpage.sites import SITES
from focusagent.longpage.template import Posed


@dataclass(frozen=True)
class Episode:
    state: Any
    posed: Posed
    goal: str
    client: TestClient

    def judge(self, *messages: str) -> Verdict:
        return self.posed.outcome.judge(self.state, messages)

    def post(self, path: str, **fields: str) -> int:
        return self.client.post(path, data=fields, follow_redirects=False).status_code


@pytest.fixture
def episode() -> Callable[..., Episode]:
    def make(name: str, seed: int = 0) -> Episode:
        task = TaskName.parse(name)
        site = SITES[task.site]
        state, draw = site.state(seed, task.size), random.Random(seed)
        posed = site.tasks[task.task].pose(state, draw)
        goal = site.tasks[task.task].goal(posed, draw)
        return Episode(state, posed, goal, TestClient(site.app(state)))

    return make
