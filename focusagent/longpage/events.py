"""What happens on a page although the user did nothing: banners, pop-ups, others' doings, late answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from focusagent.longpage.state import SiteState
from focusagent.longpage.web import form, fragment


@dataclass(frozen=True)
class Notice:
    """Comes `delay` milliseconds after the page, from the `first` page of the episode on, until it is closed."""

    kind: str
    delay: int
    first: int


NOTICES = (Notice("cookies", 300, 1), Notice("newsletter", 1_200, 2), Notice("session", 2_500, 3))
HAPPENING_DELAY, LATE_DELAY = 900, 1_600


class Events:
    """The schedule of one episode, told to the page's script. Silent unless the state is eventful."""

    def __init__(self, state: SiteState) -> None:
        self.state = state
        self.pages = 0
        self.closed: set[str] = set()

    def routes(self) -> Sequence[BaseRoute]:
        return [Route("/events", self.due), Route("/events", self.close, methods=["POST"])]

    async def due(self, request: Request) -> Response:
        """What is to happen on the page that asks, as a list of kind, delay, html and where it goes. Notices are for
        whole pages: a `framed` one gets none."""
        if not self.state.eventful:
            return JSONResponse([])
        due: list[dict[str, object]] = []
        if "framed" not in request.query_params:
            self.pages += 1
            open_notices = (n for n in NOTICES if n.first <= self.pages and n.kind not in self.closed)
            due = [
                {"kind": notice.kind, "delay": notice.delay, "html": fragment("shared/event", kind=notice.kind)}
                for notice in open_notices
            ]
        happening = self.state.happening(request.query_params.get("path", ""))
        if happening is not None:
            due.append({"kind": "happening", "delay": HAPPENING_DELAY, **asdict(happening)})
        due.append({"kind": "late", "delay": LATE_DELAY, "html": fragment("shared/event", kind="late")})
        return JSONResponse(due)

    async def close(self, request: Request) -> Response:
        kind = (await form(request)).get("kind", "")
        self.closed |= {notice.kind for notice in NOTICES} & {kind}
        return JSONResponse({})
