"""The sites, and the names of all their tasks."""

from __future__ import annotations

from typing import Any

from focusagent.longpage.code import SITE as CODE
from focusagent.longpage.desk import SITE as DESK
from focusagent.longpage.forum import SITE as FORUM
from focusagent.longpage.names import TaskName
from focusagent.longpage.shop import SITE as SHOP
from focusagent.longpage.site import Site
from focusagent.longpage.template import Template
from focusagent.sizes import SIZES, Size

EVENT_SIZE: Size = "8k"
SITES: dict[str, Site[Any]] = {site.name: site for site in (FORUM, SHOP, DESK, CODE)}


def task_names() -> list[TaskName]:
    """Every task in every size, by site, task and size; with events in one of them."""
    return [
        TaskName(site.name, task, size, events)
        for site in SITES.values()
        for task in site.tasks
        for size in SIZES
        for events in ((False, True) if size == EVENT_SIZE else (False,))
    ]


def template_of(name: TaskName) -> Template[Any]:
    return SITES[name.site].tasks[name.task]


def register_policies() -> None:
    """Tell the scripted backbone what to do on every task. Needs neither AgentLab nor a browser."""
    for site in SITES.values():
        for template in site.tasks.values():
            template.register()
