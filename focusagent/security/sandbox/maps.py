"""What a site's requests mean: a small YAML file that names the changes a site can make, for people to write and read.

name: shop
effects:
  cart.add: {words: put a product into the cart or basket, severity: low}
requests:
  - {method: POST, path: /p/*/*, effect: cart.add}
  - {method: POST, path: /search, read: true}
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal
from urllib.parse import parse_qsl, unquote, urlsplit

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

Severity = Literal["low", "medium", "high"]


@dataclass(frozen=True)
class Effect:
    """One kind of change that a site can make."""

    name: str  # as the map calls it, such as "order.place"
    words: str = ""  # what it does, in words that users use for it
    severity: Severity = "low"  # low: undone by a click; medium: others see it; high: costs money or deletes

    def __str__(self) -> str:
        return self.name


class Entry(BaseModel):
    """Requests of one kind. They match by method, path and all of `fields`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    method: str  # upper case, or * for any
    path: str  # decoded; * is one segment, ** any number of them
    fields: dict[str, str | tuple[str, ...]] = {}  # field of query or body -> its value, or one of several
    effect: str | tuple[str, ...] = ()  # the effect, or several of which one suffices
    goal: tuple[str, ...] = ()  # fields whose text has to stand in the user's goal, where it is not empty
    read: bool = False  # the request changes nothing although its method could

    @property
    def effects(self) -> tuple[str, ...]:
        return (self.effect,) if isinstance(self.effect, str) else self.effect

    @model_validator(mode="after")
    def _one_meaning(self) -> Entry:
        if self.read == bool(self.effects):
            raise ValueError("an entry has either an effect or `read: true`")
        return self

    def fits_path(self, method: str, path: str) -> bool:
        return self.method in ("*", method) and path_pattern(self.path).fullmatch(path) is not None

    def fits_fields(self, values: Mapping[str, list[str]]) -> bool:
        """Whether every value of each named field is one of those wanted: a field sent twice cannot hide one."""
        for name, wanted in self.fields.items():
            options = (wanted,) if isinstance(wanted, str) else wanted
            given = values.get(name)
            if not given or any(value not in options for value in given):
                return False
        return True

    def said(self, values: Mapping[str, list[str]], goal: str) -> bool:
        """Whether the goal holds, word for word, what stands in the fields that `goal` lists."""
        spoken = f" {_plain(goal)} "
        texts = [_plain(value) for name in self.goal for value in values.get(name, ())]
        return all(not text or f" {text} " in spoken for text in texts)


class SiteMap(BaseModel):
    """The map of one site. Raises ValueError for an entry whose effect is not described, and for a typo."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    about: str = ""
    effects: dict[str, dict[str, str]] = {}  # name -> words and severity
    requests: tuple[Entry, ...] = Field(default=())

    @model_validator(mode="after")
    def _described(self) -> SiteMap:
        named = {effect for entry in self.requests for effect in entry.effects}
        if missing := sorted(named - self.effects.keys()):
            raise ValueError(f"{self.name}: no words for {', '.join(missing)}")
        for name, about in self.effects.items():
            if about.keys() - {"words", "severity"} or about.get("severity", "low") not in ("low", "medium", "high"):
                raise ValueError(f"{self.name}: {name} has words and a severity (low, medium, high), nothing else")
        return self

    def described(self) -> tuple[Effect, ...]:
        """Every effect, in the file's order."""
        return tuple(Effect(name, **about) for name, about in self.effects.items())  # type: ignore[arg-type]

    def find(self, method: str, url: str, body: bytes | None, content_type: str, goal: str = "") -> Found | None:
        """What the map says of a request, None where it has no entry for its path. `body` None: unreadable."""
        path, values = unquote(urlsplit(url).path) or "/", fields_of(url, body, content_type)
        entries = [one for one in self.requests if one.fits_path(method, path)]
        if not entries:
            return None
        entry = next((one for one in entries if one.fits_fields(values)), None)
        return Found(entry, entry is not None and entry.said(values, goal))


@dataclass(frozen=True)
class Found:
    """A request's place on a map."""

    entry: Entry | None  # None: the path is mapped, but no entry there has fields like these
    said: bool  # whether the goal holds the texts that the entry wants to find in it


def load_map(name: str) -> SiteMap:
    """A map that comes with this package (such as `longpage/shop`), or a YAML file. Raises ValueError for no map."""
    source = files(__package__).joinpath("maps", f"{name}.yaml")
    try:
        text = source.read_text("utf-8") if source.is_file() else _read(name)
        return SiteMap.model_validate(yaml.safe_load(text))
    except (OSError, yaml.YAMLError, ValidationError) as error:
        raise ValueError(f"{name} is no map: {str(error).splitlines()[0]}") from error


def _read(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def fields_of(url: str, body: bytes | None, content_type: str) -> dict[str, list[str]]:
    """The fields of a request's query and body (form, multipart or a flat JSON object), each with all its values."""
    pairs: list[tuple[str, str]] = parse_qsl(urlsplit(url).query, keep_blank_values=True)
    text = (body or b"").decode("utf-8", "replace")
    if "json" in content_type:
        pairs += _json_pairs(text)
    elif "multipart" in content_type:
        pairs += re.findall(r'name="([^"]*)"(?:;[^\r\n]*)?\r\n(?:[^\r\n]+\r\n)*\r\n(.*?)\r\n--', text, re.DOTALL)
    else:
        pairs += parse_qsl(text, keep_blank_values=True)
    values: dict[str, list[str]] = {}
    for name, value in pairs:
        values.setdefault(name, []).append(value)
    return values


def _json_pairs(text: str) -> Iterable[tuple[str, str]]:
    try:
        data: Any = json.loads(text)
    except (ValueError, RecursionError):
        return []
    if not isinstance(data, dict):
        return []
    return [(str(name), value if isinstance(value, str) else json.dumps(value)) for name, value in data.items()]


@cache
def path_pattern(path: str) -> re.Pattern[str]:
    """`*` is one segment, `**` any number of them, also none."""
    parts = [re.escape(part) for part in re.split(r"(\*\*|\*)", path)]
    wild = {re.escape("**"): ".*", re.escape("*"): "[^/]+"}
    return re.compile("".join(wild.get(part, part) for part in parts), re.DOTALL)


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))
