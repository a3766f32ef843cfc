"""What a provider's error means, read with one table of wordings (`dialects.toml`).

A wording that no row knows is still understood where it names an option that the attempt sent, or two figures of
tokens of which the first exceeds the second.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal

Kind = Literal["filter", "quota", "rate_size", "completion", "context", "renamed", "refused", "system_role"]
Option = Literal["temperature", "schema", "limit"]

# What each option is called on the wire. Whole words, so that `temperature_unit` is not `temperature`.
NAMES: Mapping[Option, re.Pattern[str]] = {
    "temperature": re.compile(r"\btemperature\b", re.I),
    "schema": re.compile(r"\b(?:response[_ ]format|json_schema|structured[_ ]outputs?|guided_json)\b", re.I),
    "limit": re.compile(r"\bmax_(?:completion_|new_|output_)?tokens\b", re.I),
}
MAX_TEXT = 2_000
_TOLD = ("message", "msg", "code", "type", "param", "loc", "detail", "error", "metadata", "raw", "n_ctx")
_FIGURE = re.compile(r"(?<![\w.])(\d{1,3}(?:,\d{3})+|\d{2,9})(?![\w.]*\d)")
_TOKENS = re.compile(r"\btokens?\b|\btoken_|_tokens\b", re.I)


@dataclass(frozen=True)
class Row:
    """One wording. `status`, `example`, `fields` and `limit` say how it was seen; the others say how it is read."""

    provider: str
    kind: Kind
    status: int
    example: str
    pattern: re.Pattern[str]
    fields: Mapping[str, Any]
    option: Option | None
    to: str
    only: str
    limit: int | None


@dataclass(frozen=True)
class Sent:
    """What an attempt sent: the options that were set, the limit of the completion, and the limit's name."""

    options: frozenset[Option] = frozenset()
    limit: int | None = None


@dataclass(frozen=True)
class Verdict:
    """What an error means. `limit`, `input` and `completion` are tokens, where the message names them; `option` is the
    one that is refused or renamed, `to` its other name."""

    kind: Kind
    limit: int | None = None
    input: int | None = None
    completion: int | None = None
    option: Option | None = None
    to: str = ""


@lru_cache(maxsize=1)
def rows() -> tuple[Row, ...]:
    """The table, in the order in which it is tried."""
    text = files("focusagent.models").joinpath("dialects.toml").read_text("utf-8")
    return tuple(
        Row(
            provider=row["provider"],
            kind=row["kind"],
            status=row["status"],
            example=row["example"],
            pattern=re.compile(row["pattern"], re.I | re.S),
            fields=row.get("fields", {}),
            option=row.get("option"),
            to=row.get("to", ""),
            only=row.get("only", ""),
            limit=row.get("limit"),
        )
        for row in tomllib.loads(text)["row"]
    )


def told(body: object, message: str) -> str:
    """The words of an error: those fields of its body in which servers explain themselves, else its message.

    Some servers send the request back with the error, page and all; that part is not theirs and is not read."""
    words = " ".join(_words(body, 4)) if isinstance(body, Mapping | list) else ""
    return (words or message)[:MAX_TEXT]


def _words(body: object, depth: int) -> list[str]:
    if isinstance(body, str | int | float):
        return [str(body)[:MAX_TEXT]]
    if depth == 0:
        return []
    if isinstance(body, list):
        return [word for item in body[:8] for word in _words(item, depth - 1)]
    if not isinstance(body, Mapping):
        return []
    found: list[str] = []
    for name in _TOLD:
        if name not in body:
            continue
        words = _words(body[name], depth - 1)
        # A figure needs its name beside it to be understood.
        found += [f"{name} {word}" for word in words] if isinstance(body[name], int | float) else words
    return found


def read_wording(status: int, text: str, sent: Sent) -> Verdict | None:
    """What the words mean after an attempt that sent `sent`; None where nothing is understood."""
    explains = status in (400, 404, 413, 422)
    for row in rows():
        if row.only and not explains:
            continue
        if found := row.pattern.search(text):
            verdict = _verdict(row, found, text)
            # An option that this attempt did not send cannot be what was refused.
            if verdict.option is None or verdict.option in sent.options:
                return verdict
    return _unknown(text, sent) if explains and status != 404 else None


def _verdict(row: Row, found: re.Match[str], text: str) -> Verdict:
    named = found.groupdict()
    figures = {name: int(value) for name in ("limit", "input", "completion") if (value := named.get(name))}
    if row.kind == "context" and "limit" not in figures and (context := re.search(r"\bn_ctx\W{1,4}(\d+)", text)):
        figures["limit"] = int(context[1])
    return Verdict(row.kind, **figures, option=row.option, to=row.to)


def _unknown(text: str, sent: Sent) -> Verdict | None:
    """By what the attempt sent: too large a limit, too long a prompt, or an option that is not taken."""
    figures = [int(figure.replace(",", "")) for figure in _FIGURE.findall(text)]
    named = [option for option in NAMES if option in sent.options and NAMES[option].search(text)]
    if "limit" in named and sent.limit in figures:
        smaller = [figure for figure in figures if sent.limit is not None and 0 < figure < sent.limit]
        if smaller:
            return Verdict("completion", limit=max(smaller))
    if _TOKENS.search(text) and len(figures) >= 2 and figures[0] > figures[1]:
        return Verdict("context", limit=figures[1], input=figures[0])
    return Verdict("refused", option=named[0]) if named else None
