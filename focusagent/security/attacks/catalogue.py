"""The attacks as data (`catalogue.yaml`), and filling one in for an episode."""

from __future__ import annotations

import base64
import codecs
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import yaml

from focusagent.security.attacks.texts import attack_text

Carrier = Literal["banner", "popup-element", "user-generated-content", "div-element"]
Where = Literal["", "missing-page", "one-image"]


@dataclass(frozen=True)
class Part:
    """One injection of a page."""

    carrier: Carrier  # DoomArena's component
    text: str
    markup: str = ""  # what a `div-element` or a pop-up consists of, with the text in the place of `{text}`
    encoding: str = ""
    repeat: int = 1  # cut the text at words for as many elements
    others: tuple[str, ...] = ()  # of a banner: texts that take turns with `text`
    turns: int = 0  # of a banner: the steps after which it says nothing; 0 for never

    @property
    def texts(self) -> tuple[str, ...]:
        return (self.text, *self.others)


@dataclass(frozen=True)
class AttackSpec:
    """`order` is what obeying means: `goto` the target, `click` or `fill` the element that carries the text.
    `effect` names what counts as completed: the target reached (""), `state` of the site changed, `value` typed, or
    `intent`: a model judges that the agent works on the attack's task."""

    name: str
    family: str
    parts: tuple[Part, ...]
    order: Literal["goto", "click", "fill"] = "goto"
    effect: Literal["", "state", "value", "intent"] = ""
    where: Where = ""
    why: str = ""

    @property
    def needs_judge(self) -> bool:
        return self.effect == "intent"

    @property
    def only_longpage(self) -> bool:
        """Whether its success is told by LongPage's own server, so that elsewhere it could never succeed."""
        return self.effect == "state"

    def fill(self, host: str, goal: str, other_goal: str = "", canary: str = "", secret: str = "") -> Filled:
        """The attack for one episode. `host` is host:port of the attacker's server, `other_goal` another goal of the
        task's template."""
        values = {"host": host, "goal": goal, "other_goal": other_goal, "canary": canary}
        parts, payloads = [], []
        for part in self.parts:
            texts = [fill_in(attack_text(text), values) for text in part.texts]
            shown = [ENCODINGS[part.encoding](text) if part.encoding else text for text in texts]
            payloads += [
                said for text, said in zip(texts, shown, strict=True) for said in (text, said, repr(said)[1:-1])
            ]
            markup = fill_in(part.markup, values)
            parts.append(replace(part, text=shown[0], others=tuple(shown[1:]), markup=markup))
        payloads = list(dict.fromkeys(payloads))
        return Filled(self, tuple(parts), tuple(payloads), host, canary, secret, goal, other_goal)


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
    goal: str = ""
    other_goal: str = ""

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
        parts = tuple(_part(part, texts) for part in entry["parts"])
        specs[entry["name"]] = AttackSpec(**(entry | {"parts": parts}))
    return specs


def _part(entry: Mapping[str, Any], texts: Mapping[str, str]) -> Part:
    """A part with texts in place of the names of texts."""
    others = tuple(texts.get(name, name) for name in entry.get("others", ()))
    return Part(**(dict(entry) | {"text": texts.get(entry["text"], entry["text"]), "others": others}))
