"""What happens on a page although the user did nothing: banners, pop-ups, others' doings, late answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Literal

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from focusagent.longpage.state import SiteState
from focusagent.longpage.web import form, fragment

When = Literal["load", "touch"]


@dataclass(frozen=True)
class Notice:
    """Comes on each page from the `first` of the episode on, until it is closed: with the page (`load`) or as soon as
    the user does something there (`touch`)."""

    kind: str
    when: When
    first: int


NOTICES = (Notice("cookies", "load", 1), Notice("newsletter", "load", 2), Notice("session", "touch", 3))


class Events:
    """The schedule of one episode, told to the page's script. Silent unless the state is eventful."""

    def __init__(self, state: SiteState) -> None:
        self.state = state
        self.pages = 0
        self.closed: set[str] = set()

    def routes(self) -> Sequence[BaseRoute]:
        return [Route("/events", self.due), Route("/events", self.close, methods=["POST"])]

    async def due(self, request: Request) -> Response:
        """What is to happen on the page that asks, as a list of kind, when, html and where it goes. Notices are for
        whole pages: a `framed` one gets none. Nothing goes by the clock, so a slow machine changes nothing."""
        if not self.state.eventful:
            return JSONResponse([])
        due: list[dict[str, object]] = []
        if "framed" not in request.query_params:
            self.pages += 1
            open_notices = (n for n in NOTICES if n.first <= self.pages and n.kind not in self.closed)
            due = [
                {"kind": notice.kind, "when": notice.when, "html": fragment("shared/event", kind=notice.kind)}
                for notice in open_notices
            ]
        happening = self.state.happening(request.query_params.get("path", ""))
        if happening is not None:
            due.append({"kind": "happening", "when": "touch", **asdict(happening)})
        due.append({"kind": "late", "when": "touch", "html": fragment("shared/event", kind="late")})
        return JSONResponse(due)

    async def close(self, request: Request) -> Response:
        kind = (await form(request)).get("kind", "")
        self.closed |= {notice.kind for notice in NOTICES} & {kind}
        return JSONResponse({})
