"""Rendering pages and reading forms: Jinja2 with escaping always on, whatever a form sends is shown as text."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Any
from urllib.parse import parse_qsl

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from starlette.requests import Request
from starlette.responses import HTMLResponse

from focusagent.longpage.content import ago, slug

MAX_FIELD = 20_000


@cache
def environment() -> Environment:
    """Jinja2 with escaping always on: whatever a form sends is shown as text."""
    made = Environment(
        loader=PackageLoader("focusagent.longpage"),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(ago=ago, slug=slug, image=image_path)
    return made


def page(template: str, **values: Any) -> HTMLResponse:
    """A rendered page."""
    return HTMLResponse(environment().get_template(f"{template}.html.j2").render(**values))


def fragment(template: str, **values: Any) -> str:
    """A rendered part of a page."""
    return environment().get_template(f"{template}.html.j2").render(**values)


async def form(request: Request) -> dict[str, str]:
    """The fields of a posted form, the last value of each name, cut to a length no honest user reaches."""
    body = (await request.body()).decode("utf-8", "replace")
    return {name: value[:MAX_FIELD] for name, value in parse_qsl(body, keep_blank_values=True)}


def one_line(text: str) -> str:
    return " ".join(text.split())


def image_path(subject: object, width: int = 64, height: int = 64) -> str:
    """The address of a generated picture, as long as those of real image hosts."""
    key = hashlib.sha256(str(subject).encode()).hexdigest()[:40]
    return f"/img/{key}.svg?width={width}&height={height}&fit=crop&auto=format"


def whole_number(text: str) -> int | None:
    """What a form or an address sends as a number; None where it is none, or has more than six digits."""
    return int(text) if text.isdecimal() and len(text) < 7 else None
