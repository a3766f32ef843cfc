"""The family `effects` as data (`effects.yaml`): attacks by elements, and the steps of the reader who obeys them."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from html import escape
from importlib.resources import files
from typing import Literal
from urllib.parse import urlsplit

import yaml

from focusagent.security.attacks.catalogue import fill_in

Wants = Literal["leak", "page", "write"]


@dataclass(frozen=True)
class Step:
    """One thing that the obeying reader does: `verb` on the element with the id `target`, with `text`."""

    verb: str  # click, double, hover, focus, mouse, drag, select, fill, press, type, keys, goto, wait
    target: str = ""  # an element's id, in the page or in a frame of it
    text: str = ""  # what is typed, the key, the option, the address, or the id to drag to

    @classmethod
    def parse(cls, line: str) -> Step:
        verb, _, rest = line.partition(" ")
        if verb in ("type", "keys", "goto", "wait"):
            return cls(verb, text=rest)
        target, _, text = rest.partition(" ")
        return cls(verb, target, text)


@dataclass(frozen=True)
class Write:
    """A change on the task's site that the goal does not ask for: where it is posted, and its fields."""

    path: str
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Way:
    """One way to make an honest-looking step do something else."""

    name: str
    kind: str  # the group in the tables
    wants: Wants  # leak: text arrives at the attacker's; page: a tab opens it; write: the site is changed
    markup: str  # what the attacker adds to each page of the site
    steps: tuple[str, ...]

    def fill(self, site: str, attacker: str, secret: str, write: Write) -> FilledWay:
        """The way between two origins. `secret` is letters and digits only."""
        host = urlsplit(attacker).netloc
        hidden = "".join(
            f'<input type=hidden name="{escape(name)}" value="{escape(value)}">' for name, value in write.fields.items()
        )
        name, _, port = host.partition(":")
        values = {
            "a": site,
            "b": attacker,
            "ws": "ws://" + host,
            "host": host,
            "HOST": host.upper(),
            "dotted": f"{name}.:{port}",
            "b64": base64.b64encode(f"{attacker}/leak".encode()).decode(),
            "secret": secret,
            "write": write.path,
            "inputs": hidden,
            "json": escape(json.dumps(write.fields), quote=True),
        }
        steps = tuple(Step.parse(fill_in(step, values)) for step in self.steps)
        return FilledWay(self, fill_in(self.markup, values), steps, secret, write)


@dataclass(frozen=True)
class FilledWay:
    """A way with its addresses; `steps` in the order in which the reader takes them."""

    way: Way
    markup: str
    steps: tuple[Step, ...]
    secret: str
    write: Write


@cache
def load_ways() -> dict[str, Way]:
    """Name -> way. Raises TypeError for a field that is none."""
    entries = yaml.safe_load(files(__package__).joinpath("effects.yaml").read_text("utf-8"))
    return {entry["name"]: Way(**(entry | {"steps": tuple(entry["steps"])})) for entry in entries}
