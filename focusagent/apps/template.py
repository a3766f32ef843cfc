"""A task template of an application: one file each under its `tasks/`."""

from __future__ import annotations

from typing import ClassVar

from focusagent.apps.database import World
from focusagent.longpage.template import Template


class AppTemplate(Template[World]):
    """LongPage's template, posed from a database that is only read. `login` names the account that is logged in when
    the episode starts, "" for nobody."""

    login: ClassVar[str] = ""
