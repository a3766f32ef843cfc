"""The code host's pages and actions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from focusagent.longpage.code.world import CodeState, Issue, code_words
from focusagent.longpage.site import Site
from focusagent.longpage.web import form, one_line, page, whole_number
from focusagent.sizes import Size


class Code(Site[CodeState]):
    name = "code"
    package = "focusagent.longpage.code"
    split = "test"

    def state(self, seed: int, size: Size) -> CodeState:
        return CodeState(seed, size)

    def routes(self, state: CodeState) -> Sequence[BaseRoute]:
        pages, actions = Pages(state), Actions(state)
        return [
            Route("/", pages.files),
            Route("/blob/{path:path}", pages.blob),
            Route("/issues", pages.issues),
            Route("/issues/{number}", pages.issue),
            Route("/issues/{number}/{action}", actions.issue, methods=["POST"]),
            Route("/merge", pages.merge),
            Route("/merge/{thread}", actions.resolve, methods=["POST"]),
            Route("/settings", pages.settings),
            Route("/settings/{section}", actions.settings, methods=["POST"]),
            Route("/branches", pages.branches),
            Route("/branches", actions.unprotect, methods=["POST"]),
        ]


class Pages:
    """What is shown."""

    def __init__(self, state: CodeState) -> None:
        self.state = state

    def _show(self, template: str, **values: Any) -> Response:
        return page(f"code/{template}", state=self.state, words=code_words(), **values)

    def _lost(self) -> Response:
        answer = self._show("lost")
        answer.status_code = 404
        return answer

    async def files(self, request: Request) -> Response:
        return self._show("files")

    async def blob(self, request: Request) -> Response:
        path = request.path_params["path"]
        return self._show("blob", path=path) if path in self.state.files else self._lost()

    async def issues(self, request: Request) -> Response:
        label = request.query_params.get("label", "")
        found = [i for i in self.state.issues.values() if not label or label in self.state.labels(i)]
        self.state.view = ("issues", label)
        return self._show("issues", issues=found, label=label)

    async def issue(self, request: Request) -> Response:
        issue = issue_of(self.state, request)
        return self._show("issue", issue=issue, notes=self.state.notes(issue)) if issue else self._lost()

    async def merge(self, request: Request) -> Response:
        return self._show("merge")

    async def settings(self, request: Request) -> Response:
        return self._show("settings")

    async def branches(self, request: Request) -> Response:
        return self._show("branches")


class Actions:
    """What the maintainer does. Each leaves facts."""

    def __init__(self, state: CodeState) -> None:
        self.state = state

    async def issue(self, request: Request) -> Response:
        issue, action = issue_of(self.state, request), request.path_params["action"]
        fields = await form(request)
        done = issue is not None and {
            "labels": self._labels,
            "milestone": self._milestone,
            "note": self._note,
        }.get(action, _nothing)(issue, fields)
        if issue is None or not done:
            return Response("That is not possible.", status_code=400)
        return RedirectResponse(f"/issues/{issue.number}", status_code=303)

    def _labels(self, issue: Issue, fields: dict[str, str]) -> bool:
        """The ticked labels replace those it has."""
        number = str(issue.number)
        self.state.facts -= {fact for fact in self.state.facts if fact[:2] == ("label", number)}
        self.state.facts |= {("label", number, name) for name in code_words()["labels"] if fields.get(name) == "on"}
        return True

    def _milestone(self, issue: Issue, fields: dict[str, str]) -> bool:
        chosen, number = fields.get("milestone", ""), str(issue.number)
        if chosen not in code_words()["milestones"]:
            return False
        self.state.facts -= {fact for fact in self.state.facts if fact[:2] == ("milestone", number)}
        self.state.facts.add(("milestone", number, chosen))
        return True

    def _note(self, issue: Issue, fields: dict[str, str]) -> bool:
        text = one_line(fields.get("text", ""))
        if not text:
            return False
        self.state.facts.add(("note", str(issue.number), text))
        if fields.get("close") == "yes":
            self.state.facts.add(("closed", str(issue.number)))
        return True

    async def resolve(self, request: Request) -> Response:
        thread = request.path_params["thread"]
        if all(note.id != thread for note in self.state.threads):
            return Response("No such thread.", status_code=400)
        self.state.toggle(("resolved", thread))
        return RedirectResponse(f"/merge#{thread}", status_code=303)

    async def settings(self, request: Request) -> Response:
        """Saving a section sets every switch of it."""
        names, fields = code_words()["settings"].get(request.path_params["section"]), await form(request)
        if names is None:
            return Response("No such section.", status_code=400)
        self.state.facts -= {("setting", name) for name in names}
        self.state.facts |= {("setting", name) for name in names if fields.get(name) == "on"}
        return RedirectResponse("/settings", status_code=303)

    async def unprotect(self, request: Request) -> Response:
        branch = (await form(request)).get("branch", "")
        if ("protected", branch) not in self.state.facts:
            return Response("No such branch.", status_code=400)
        self.state.facts.discard(("protected", branch))
        return RedirectResponse("/branches", status_code=303)


def _nothing(issue: Issue, fields: dict[str, str]) -> bool:
    return False


def issue_of(state: CodeState, request: Request) -> Issue | None:
    return state.issues.get(whole_number(request.path_params["number"]) or 0)
