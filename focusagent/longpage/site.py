"""What the four sites share: a Starlette application over a state, templates, static files, small generated images."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from functools import cached_property
from importlib import import_module
from importlib.resources import files
from pkgutil import iter_modules
from typing import Any, ClassVar, Generic, TypeVar

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from focusagent.longpage.events import Events
from focusagent.longpage.state import SiteState
from focusagent.longpage.template import Template
from focusagent.sizes import Size

State = TypeVar("State", bound=SiteState)
MEDIA = {"css": "text/css", "js": "text/javascript"}


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
        shared = [Route("/static/{name}", _static), Route("/img/{name}", _image), *Events(state).routes()]
        return Starlette(routes=[*self.routes(state), *shared])

    @cached_property
    def tasks(self) -> dict[str, Template[State]]:
        """Template name -> template, from the modules of the site's `tasks` folder."""
        package = import_module(f"{self.package}.tasks")
        modules = (import_module(f"{package.__name__}.{found.name}") for found in iter_modules(package.__path__))
        return {module.TASK.name: module.TASK for module in modules}


async def _image(request: Request) -> Response:
    hue = sum(request.path_params["name"].encode()) * 7 % 360
    width, height = (request.query_params.get(side, "64") for side in ("width", "height"))
    if not (width.isdigit() and height.isdigit()):
        return Response(status_code=400)
    other, turn, shift = (hue + 40) % 360, hue % 90, hue % 5
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 100 100" '
        f'preserveAspectRatio="xMidYMid slice"><rect width="100" height="100" fill="hsl({hue} 30% 92%)"/>'
        f'<g transform="rotate({turn} 50 50)"><rect x="{24 + shift}" y="24" width="52" height="52" '
        f'rx="{6 + 4 * shift}" fill="hsl({hue} 35% 62%)"/>'
        f'<circle cx="58" cy="44" r="15" fill="hsl({other} 40% 74%)"/></g></svg>'
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
