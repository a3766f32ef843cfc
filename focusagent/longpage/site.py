"""What the four sites share: a Starlette application over a state, templates, static files, small generated images."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from importlib import import_module
from importlib.resources import files
from pkgutil import iter_modules
from typing import Any, ClassVar, Generic
from urllib.parse import parse_qsl

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from focusagent.longpage.content import ago, slug
from focusagent.longpage.state import Size
from focusagent.longpage.template import State, Template

MEDIA = {"css": "text/css", "js": "text/javascript"}
MAX_FIELD = 20_000


class Site(ABC, Generic[State]):
    """One site. Its folder holds `tasks/` with one module a template, each with a `TASK`."""

    name: ClassVar[str]
    package: ClassVar[str]
    split: ClassVar[str] = ""

    @abstractmethod
    def state(self, seed: int, size: Size) -> State:
        """The site's content for a seed and size class, before anything has happened."""

    @abstractmethod
    def routes(self, state: State) -> Sequence[BaseRoute]:
        """The site's own pages and actions on that state."""

    def app(self, state: State) -> Starlette:
        return Starlette(routes=[*self.routes(state), Route("/static/{name}", _static), Route("/img/{name}", _image)])

    @cached_property
    def tasks(self) -> dict[str, Template[State]]:
        """Template name -> template, from the modules of the site's `tasks` folder."""
        package = import_module(f"{self.package}.tasks")
        modules = (import_module(f"{package.__name__}.{found.name}") for found in iter_modules(package.__path__))
        return {module.TASK.name: module.TASK for module in modules}


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


async def _image(request: Request) -> Response:
    hue = sum(request.path_params["name"].encode()) * 7 % 360
    width, height = (request.query_params.get(side, "64") for side in ("width", "height"))
    if not (width.isdigit() and height.isdigit()):
        return Response(status_code=400)
    other, turn, shift = (hue + 40) % 360, hue % 90, hue % 5
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 100 100" '
        f'preserveAspectRatio="xMidYMid slice"><rect width="100" height="100" fill="hsl({hue} 30% 92%)"/>'
        f'<g transform="rotate({turn} 50 50)"><rect x="{24 + shift}" y="24" width="52" height="52" rx="{6 + 4 * shift}" '
        f'fill="hsl({hue} 35% 62%)"/><circle cx="58" cy="44" r="15" fill="hsl({other} 40% 74%)"/></g></svg>'
    )
    return Response(svg, media_type="image/svg+xml", headers={"cache-control": "max-age=3600"})


async def _static(request: Request) -> Response:
    name = request.path_params["name"]
    found = [item for item in _static_files() if item.name == name]
    if not found:
        return Response(status_code=404)
    return Response(found[0].read_bytes(), media_type=MEDIA[name.rpartition(".")[2]])


def _static_files() -> Iterable[Any]:
    return files("focusagent.longpage").joinpath("static").iterdir()
