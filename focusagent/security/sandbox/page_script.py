"""The scripts that run in every document before the page's own (`page.js` and `csp.js` say what for)."""

import json
from importlib.resources import files

TELL = "__focusagent_tell"
"""The binding by which they tell what is typed and what was stopped. A page can call it, too, and thereby have more
refused, not less."""

SCRIPT = files(__package__).joinpath("page.js").read_text("utf-8").replace("__TELL__", TELL)


def csp_script(csp: str) -> str:
    """The script that holds each document to this Content-Security-Policy."""
    return files(__package__).joinpath("csp.js").read_text("utf-8").replace('"__CSP__"', json.dumps(csp))
