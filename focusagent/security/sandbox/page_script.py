"""The script that runs in every document before the page's own (`page.js` says what for)."""

import json
from importlib.resources import files

TELL = "__focusagent_tell"
"""The binding by which it tells what is typed and what was stopped. A page can call it, too, and thereby have more
refused, not less."""


def page_script(csp: str) -> str:
    """The script with the Content-Security-Policy that it puts into each document."""
    source = files(__package__).joinpath("page.js").read_text("utf-8")
    return source.replace("__TELL__", TELL).replace('"__CSP__"', json.dumps(csp))
