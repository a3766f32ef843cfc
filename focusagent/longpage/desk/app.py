"""The desk's pages and actions. Everything but the shell with its menu lives in a frame, as in the real thing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from focusagent.longpage.desk.world import COLUMNS, OPERATORS, DeskState, desk_words
from focusagent.longpage.site import Site
from focusagent.longpage.web import form, one_line, page, whole_number
from focusagent.sizes import Size

FIELDS = ("caller", "service", "category", "contact", "priority", "group", "summary", "details")
EDITABLE = ("priority", "state", "group")
FRAMES = {
    "All incidents": "/list",
    "Assigned to me": "/list?where=caller:is:me",
    "Create incident": "/new",
    "Service catalogue": "/catalogue",
    "Knowledge base": "/knowledge",
    "Service overview": "/overview",
    "Response times": "/overview?tab=times",
}


class Desk(Site[DeskState]):
    name = "desk"
    package = "focusagent.longpage.desk"

    def state(self, seed: int, size: Size) -> DeskState:
        return DeskState(seed, size)

    def routes(self, state: DeskState) -> Sequence[BaseRoute]:
        pages, actions = Pages(state), Actions(state)
        return [
            Route("/", pages.shell),
            Route("/list", pages.list),
            Route("/incident/{number}", pages.incident),
            Route("/incident/{number}", actions.update, methods=["POST"]),
            Route("/new", pages.new),
            Route("/new", actions.create, methods=["POST"]),
            Route("/people", pages.people),
            Route("/catalogue", pages.catalogue),
            Route("/catalogue/{item}", pages.item),
            Route("/catalogue/{item}", actions.order, methods=["POST"]),
            Route("/knowledge", pages.knowledge),
            Route("/knowledge/{article}", pages.article),
            Route("/overview", pages.overview),
            Route("/page/{name}", pages.other),
        ]


class Pages:
    """What is shown."""

    def __init__(self, state: DeskState) -> None:
        self.state = state

    def _show(self, template: str, **values: Any) -> Response:
        return page(f"desk/{template}", state=self.state, words=desk_words(), columns=COLUMNS, **values)

    def _lost(self) -> Response:
        answer = self._show("other", name="Not found")
        answer.status_code = 404
        return answer

    async def shell(self, request: Request) -> Response:
        """Menu and frame; `?frame=` is the page inside."""
        inside = request.query_params.get("frame", "/overview")
        safe = inside if inside.startswith("/") and not inside.startswith("//") else "/overview"
        self.state.view = ("page", safe)
        return self._show("shell", inside=safe, frames=FRAMES)

    async def list(self, request: Request) -> Response:
        query = request.query_params
        order, down = query.get("order", "number"), query.get("down", "") == "1"
        conditions = [tuple(part.split(":", 2)) for part in query.getlist("where")]
        known = all(len(c) == 3 and c[0] in COLUMNS and c[1] in OPERATORS for c in conditions)
        if order not in COLUMNS or not known:
            return self._lost()
        wanted = [(column, operator, value) for column, operator, value in conditions]
        rows = self.state.listed(wanted, order, down)
        self.state.view = ("list", order, "down" if down else "up", *sorted(":".join(c) for c in wanted))
        kept = [("where", ":".join(c)) for c in wanted]
        return self._show("list", rows=rows, order=order, down=down, conditions=wanted, kept=kept, operators=OPERATORS)

    async def incident(self, request: Request) -> Response:
        incident = self.state.incidents.get(request.path_params["number"])
        if incident is None:
            return self._lost()
        return self._show("incident", incident=incident, history=self.state.history(incident))

    async def new(self, request: Request) -> Response:
        return self._show("new")

    async def people(self, request: Request) -> Response:
        """Names for the pop-up list of a reference field."""
        asked = request.query_params.get("q", "").casefold()
        return JSONResponse([name for name in self.state.people if asked and asked in name.casefold()][:12])

    async def catalogue(self, request: Request) -> Response:
        return self._show("catalogue", lately=self.state.ordered_lately(desk_words()["items"]))

    async def item(self, request: Request) -> Response:
        item = _item(request.path_params["item"])
        return self._show("item", item=item, lately=self.state.ordered_lately([item])) if item else self._lost()

    async def knowledge(self, request: Request) -> Response:
        asked = one_line(request.query_params.get("q", ""))
        wanted = asked.casefold().split()
        found = [a for a in self.state.articles.values() if all(word in a.title.casefold() for word in wanted)]
        return self._show("knowledge", asked=asked, articles=found)

    async def article(self, request: Request) -> Response:
        article = self.state.articles.get(request.path_params["article"])
        return self._show("article", article=article) if article else self._lost()

    async def overview(self, request: Request) -> Response:
        self.state.view = ("page", request.url.path + (f"?{request.url.query}" if request.url.query else ""))
        return self._show("overview", tab=request.query_params.get("tab", "load"))

    async def other(self, request: Request) -> Response:
        self.state.view = ("page", request.path_params["name"])
        return self._show("other", name=request.path_params["name"])


class Actions:
    """What the agent of the desk does. Each leaves facts."""

    def __init__(self, state: DeskState) -> None:
        self.state = state

    async def update(self, request: Request) -> Response:
        number, fields, words = request.path_params["number"], await form(request), desk_words()
        allowed = {"priority": words["priorities"], "state": words["states"], "group": words["groups"]}
        if number not in self.state.incidents or any(fields.get(name) not in allowed[name] for name in EDITABLE):
            return Response("That cannot be saved.", status_code=400)
        for name in EDITABLE:
            self.state.update(number, name, fields[name])
        return RedirectResponse(f"/incident/{number}", status_code=303)

    async def create(self, request: Request) -> Response:
        fields = {name: one_line(value) for name, value in (await form(request)).items()}
        if fields.get("caller") not in self.state.people or not fields.get("summary"):
            return Response("An incident needs a known caller and a short description.", status_code=400)
        self.state.facts.add(("incident", *(fields.get(name, "") for name in FIELDS)))
        return RedirectResponse("/list?order=opened&down=1", status_code=303)

    async def order(self, request: Request) -> Response:
        item, fields = _item(request.path_params["item"]), await form(request)
        count = fields.get("count", "")
        if item is None or whole_number(count) not in range(1, 10):
            return Response("That cannot be ordered.", status_code=400)
        if any(fields.get(name) not in values for name, values in item["options"].items()):
            return Response("Please choose every option.", status_code=400)
        self.state.facts.add(("ordered", item["name"], *(fields[name] for name in item["options"]), count))
        return RedirectResponse("/page/Order placed", status_code=303)


def _item(name: str) -> Any:
    return next((item for item in desk_words()["items"] if item["name"] == name), None)
