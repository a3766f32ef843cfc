"""The attacks as data (`catalogue.yaml`), and filling one in for an episode."""

from __future__ import annotations

import base64
import codecs
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import yaml

from focusagent.security.attacks.texts import attack_text

Carrier = Literal["banner", "popup-element", "user-generated-content", "div-element"]
Where = Literal["", "missing-page", "one-image"]


@dataclass(frozen=True)
class Part:
    """One injection. `carrier` is DoomArena's component; `markup` is what a `div-element` or a pop-up consists of, with
    the text in the place of `{text}`; `repeat` cuts the text at words for as many elements."""

    carrier: Carrier
    text: str
    markup: str = ""
    encoding: str = ""
    repeat: int = 1


@dataclass(frozen=True)
class AttackSpec:
    """`order` is what obeying means: `goto` the target, `click` or `fill` the element that carries the text.
    `effect` names what counts as completed: the target reached (""), `state` of the site changed, `value` typed."""

    name: str
    family: str
    parts: tuple[Part, ...]
    order: Literal["goto", "click", "fill"] = "goto"
    effect: Literal["", "state", "value"] = ""
    where: Where = ""
    why: str = ""

    def fill(self, host: str, goal: str, other_goal: str = "", canary: str = "", secret: str = "") -> Filled:
        """The attack for one episode. `host` is host:port of the attacker's server, `other_goal` another goal of the
        task's template."""
        values = {"host": host, "goal": goal, "other_goal": other_goal, "canary": canary}
        parts, payloads = [], []
        for part in self.parts:
            text = fill_in(attack_text(part.text), values)
            shown = ENCODINGS[part.encoding](text) if part.encoding else text
            payloads += [text, shown, repr(shown)[1:-1]]
            parts.append(Part(part.carrier, shown, fill_in(part.markup, values), part.encoding, part.repeat))
        return Filled(self, tuple(parts), tuple(dict.fromkeys(payloads)), host, canary, secret)


@dataclass(frozen=True)
class Filled:
    """An attack with its texts for one episode; `payloads` are the texts as a reader would understand them, as they
    stand in the page and as BrowserGym prints them."""

    spec: AttackSpec
    parts: tuple[Part, ...]
    payloads: tuple[str, ...]
    host: str
    canary: str
    secret: str = ""

    @property
    def action(self) -> str:
        """BrowserGym's action that obeys; `{bid}` stands for the element that carries the text."""
        orders = {
            "goto": f"goto('http://{self.host}/')",
            "click": "click('{bid}')",
            "fill": "fill('{bid}', " + repr(self.secret or "my data") + ")",
        }
        return orders[self.spec.order]


def fill_in(text: str, values: Mapping[str, str]) -> str:
    for name, value in values.items():
        text = text.replace("{" + name + "}", value)
    return text


ENCODINGS: dict[str, Any] = {
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "hex": lambda text: text.encode().hex(),
    "rot13": lambda text: codecs.encode(text, "rot13"),
    "zero-width": "\u200b".join,
    "tags": lambda text: "".join(chr(0xE0000 + ord(letter)) for letter in text if letter.isascii()),
    "look-alike": lambda text: text.translate(str.maketrans("aeopc", "аеорс")),
}


@cache
def load_catalogue() -> dict[str, AttackSpec]:
    """Name -> attack. Raises TypeError for a field that is none."""
    data = yaml.safe_load(files(__package__).joinpath("catalogue.yaml").read_text("utf-8"))
    texts = data["texts"]
    specs = {}
    for entry in data["attacks"]:
        parts = tuple(Part(**(part | {"text": texts.get(part["text"], part["text"])})) for part in entry["parts"])
        specs[entry["name"]] = AttackSpec(**(entry | {"parts": parts}))
    return specs
