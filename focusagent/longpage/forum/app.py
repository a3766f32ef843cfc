"""The forum's pages and actions."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from focusagent.longpage.content import word_list
from focusagent.longpage.forum.world import (
    COMMENT_SORTS,
    DEEPEST,
    REASONS,
    SORTS,
    Comment,
    ForumState,
    Thread,
    thread_path,
)
from focusagent.longpage.site import Site
from focusagent.longpage.web import form, one_line, page, whole_number
from focusagent.sizes import Size


class Forum(Site[ForumState]):
    name = "forum"
    package = "focusagent.longpage.forum"

    def state(self, seed: int, size: Size) -> ForumState:
        return ForumState(seed, size)

    def routes(self, state: ForumState) -> Sequence[BaseRoute]:
        pages, actions = Pages(state), Actions(state)
        return [
            Route("/", pages.front),
            Route("/submit", pages.composer),
            Route("/submit", actions.submit, methods=["POST"]),
            Route("/search", pages.search),
            Route("/f/{forum}", pages.front),
            Route("/f/{forum}/{thread}/{slug}", pages.thread),
            Route("/f/{forum}/{thread}/{slug}", actions.reply, methods=["POST"]),
            Route("/u/{person}", pages.person),
            Route("/api/mark", actions.mark, methods=["POST"]),
            Route("/api/report", actions.report, methods=["POST"]),
        ]


class Pages:
    """What is shown. Unknown names answer with the site's own 404 page."""

    def __init__(self, state: ForumState) -> None:
        self.state = state

    def _show(self, template: str, **values: object) -> Response:
        state = self.state
        return page(f"forum/{template}", state=state, sorts=SORTS, reasons=REASONS, path=thread_path, **values)

    def _lost(self) -> Response:
        answer = self._show("lost")
        answer.status_code = 404
        return answer

    async def front(self, request: Request) -> Response:
        forum, sort = request.path_params.get("forum", ""), request.query_params.get("sort", "hot")
        if (forum and forum not in self.state.forums) or sort not in SORTS:
            return self._lost()
        start = whole_number(request.query_params.get("after", "0")) or 0
        threads, size = self.state.listed(forum, sort), self.state.dims.threads
        self.state.view = ("list", forum, sort, str(start))
        more = start + size if start + size < len(threads) else 0
        return self._show("list", forum=forum, sort=sort, threads=threads[start : start + size], more=more)

    async def thread(self, request: Request) -> Response:
        thread = self.state.threads.get(request.path_params["thread"])
        sort = request.query_params.get("sort", "best")
        if thread is None or sort not in COMMENT_SORTS:
            return self._lost()
        keys = {"best": lambda c: -c.score, "new": lambda c: c.age, "old": lambda c: -c.age}
        order: list[Comment] = sorted(thread.comments, key=keys[sort])
        return self._show("thread", thread=thread, comments=order, sort=sort, comment_sorts=COMMENT_SORTS)

    async def composer(self, request: Request) -> Response:
        chosen = request.query_params.get("forum", "")
        return self._show("composer", flairs=word_list("sentences")["flair"], chosen=chosen)

    async def search(self, request: Request) -> Response:
        asked = one_line(request.query_params.get("q", ""))
        wanted = asked.casefold().split()
        found = [t for t in self.state.listed("", "new") if all(word in t.title.casefold() for word in wanted)]
        self.state.view = ("search", asked)
        return self._show("search", asked=asked, threads=found[: self.state.dims.threads] if wanted else [])

    async def person(self, request: Request) -> Response:
        person = request.path_params["person"]
        if person not in self.state.people and person != self.state.you:
            return self._lost()
        threads = [t for t in self.state.listed("", "new") if t.author == person]
        return self._show(
            "person", person=person, threads=threads, said=self.state.said(person), liked=self.state.liked(person)
        )


class Actions:
    """What the user does. Each leaves facts."""

    def __init__(self, state: ForumState) -> None:
        self.state = state

    async def mark(self, request: Request) -> Response:
        """Vote, save, hide, follow or join: on, or off again. An up-vote replaces a down-vote."""
        fields = await form(request)
        kind, what, value = (fields.get(name, "") for name in ("kind", "id", "value"))
        if kind not in ("vote", "save", "hide", "follow", "join") or not self._known(kind, what):
            return JSONResponse({"error": "unknown"}, status_code=400)
        if kind != "vote":
            return JSONResponse({"on": self.state.toggle((kind, what))})
        if value not in ("up", "down"):
            return JSONResponse({"error": "unknown"}, status_code=400)
        self.state.facts.discard(("vote", what, "down" if value == "up" else "up"))
        return JSONResponse({"on": self.state.toggle(("vote", what, value))})

    async def report(self, request: Request) -> Response:
        fields = await form(request)
        what, reason = fields.get("id", ""), fields.get("reason", "")
        if reason not in REASONS or not self._known("report", what):
            return JSONResponse({"error": "unknown"}, status_code=400)
        self.state.facts.add(("report", what, reason))
        return JSONResponse({"on": True})

    async def reply(self, request: Request) -> Response:
        thread, fields = self.state.threads.get(request.path_params["thread"]), await form(request)
        text, parent = fields.get("text", "").strip(), fields.get("parent", "")
        if thread is None or not text:
            return Response("Nothing to post.", status_code=400)
        above = thread.above(parent)
        if parent and not 0 < len(above) < DEEPEST:
            return Response("There is no such comment to reply to here.", status_code=400)
        thread.own += 1
        comment = Comment(f"{thread.id}-you{thread.own}", self.state.you, tuple(text.splitlines()), 1, 0)
        (above[-1].children if above else thread.comments).append(comment)
        self.state.facts.add(("comment", parent or thread.id, one_line(text)))
        return RedirectResponse(f"{thread_path(thread)}#{comment.id}", status_code=303)

    async def submit(self, request: Request) -> Response:
        fields = await form(request)
        forum, title, text, flair = (fields.get(name, "").strip() for name in ("forum", "title", "text", "flair"))
        if forum not in self.state.forums or not title:
            return Response("A thread needs a forum and a title.", status_code=400)
        thread = Thread(
            f"you{len(self.state.threads)}",
            forum,
            one_line(title),
            self.state.you,
            tuple(text.splitlines()),
            "",
            flair,
            1,
            0,
        )
        self.state.threads[thread.id] = thread
        self.state.facts.add(("thread", forum, thread.title, one_line(text), flair))
        return RedirectResponse(thread_path(thread), status_code=303)

    def _known(self, kind: str, what: str) -> bool:
        if kind == "join":
            return what in self.state.forums
        if kind == "follow":
            return what in self.state.people
        return what in self.state.threads or self.state.comment(what) is not None
