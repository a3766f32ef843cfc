"""What the forum is about: people, forums, threads and comments, made from a seed."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from focusagent.longpage.content import Writer, slug, word_list
from focusagent.longpage.state import Happening, SiteState
from focusagent.longpage.web import fragment
from focusagent.sizes import Size

SORTS = {"hot": "Hot", "new": "New", "top": "Top", "comments": "Most discussed"}
COMMENT_SORTS = {"best": "Best", "new": "Newest first", "old": "Oldest first"}
MAX_DEPTH, DEEPEST = 4, 40  # of what is there at the start, and of what the user may add
REASONS = ("Spam or advertising", "Rude or hateful", "Off topic", "Dangerous advice", "Private information")


@dataclass(frozen=True)
class Dims:
    """How much a size class shows: threads a list page, comments a thread, forums and people beside the page, and
    whether there are pictures."""

    threads: int
    comments: int
    forums: int
    side: int
    pictures: bool = True


DIMS: dict[Size, Dims] = {
    "1k": Dims(3, 3, 2, 0, pictures=False),
    "8k": Dims(14, 11, 8, 3),
    "25k": Dims(50, 45, 12, 6),
    "60k": Dims(132, 122, 12, 8),
    "130k": Dims(292, 275, 12, 8),
}


@dataclass
class Comment:
    id: str
    author: str
    text: tuple[str, ...]
    score: int
    age: int
    children: list[Comment] = field(default_factory=list)


@dataclass
class Thread:
    """`size` is the number of comments others have written; they are made up when the thread is first opened."""

    id: str
    forum: str
    title: str
    author: str
    text: tuple[str, ...]
    link: str
    flair: str
    score: int
    age: int
    size: int = 0
    voices: tuple[str, ...] = ()
    own: int = 0

    @cached_property
    def comments(self) -> list[Comment]:
        return write_comments(self)

    @property
    def count(self) -> int:
        return self.size + self.own

    @property
    def flat(self) -> list[Comment]:
        """All comments, parents before their replies."""
        found, left = list[Comment](), list(reversed(self.comments))
        while left:
            comment = left.pop()
            found.append(comment)
            left.extend(reversed(comment.children))
        return found

    def above(self, comment_id: str) -> list[Comment]:
        """The comment of that id, last, and those that it replies to; none where the thread has no such comment."""
        parents = {child.id: comment for comment in self.flat for child in comment.children}
        found = [comment for comment in self.flat if comment.id == comment_id]
        while found and found[0].id in parents:
            found.insert(0, parents[found[0].id])
        return found


def write_comments(thread: Thread) -> list[Comment]:
    """The tree of a thread's comments, made from its id alone. A comment's id starts with its thread's."""
    writer = Writer(f"comments/{thread.id}")
    draw, top, flat = writer.random, list[Comment](), list[tuple[Comment, int]]()
    for number in range(thread.size):
        comment = Comment(
            id=f"{thread.id}-{draw.randrange(36**4, 36**5):x}{number:03d}",
            author=draw.choice(thread.voices),
            text=writer.text(thread.forum, draw.choice((1, 1, 1, 2, 3))),
            score=int(draw.paretovariate(1.1) * 2) - draw.choice((0, 0, 0, 4)),
            age=draw.randint(1, 60 * 24 * 20),
        )
        parent, depth = draw.choice(flat) if flat and draw.random() < 0.6 else (None, 0)
        if parent is None or depth > MAX_DEPTH:
            top.append(comment)
            depth = 0
        else:
            parent.children.append(comment)
        flat.append((comment, depth + 1))
    return top


def thread_path(thread: Thread) -> str:
    return f"/f/{thread.forum}/{thread.id}/{slug(thread.title)}"


class ForumState(SiteState):
    """The user is `you`. Threads of all forums are known by title, author and comments; the user's own doings are
    facts: vote, save, hide, follow, join, report, comment, thread."""

    you = "you"

    def __init__(self, seed: int, size: Size) -> None:
        super().__init__(size)
        self.dims, self.key = DIMS[size], f"forum/{seed}/{size}"
        writer = Writer(self.key)
        self.people = writer.handles(max(12, self.dims.comments // 2))
        self.forums = writer.random.sample(sorted(word_list("topics")), self.dims.forums)
        self.members = {name: writer.random.randint(800, 240_000) for name in self.forums}
        self.moderators = {name: writer.random.sample(self.people, 2) for name in self.forums}
        self.rules = {
            name: writer.random.sample(word_list("sentences")["rule"], min(8, self.dims.side + 1))
            for name in self.forums
        }
        self.threads: dict[str, Thread] = {}
        for name in self.forums:
            for thread in self._write_threads(writer, name):
                self.threads[thread.id] = thread
        self._old_habits(writer)
        self.begin()

    def _write_threads(self, writer: Writer, forum: str) -> list[Thread]:
        """Threads with distinct titles and distinct numbers of comments; the first has as many as the size class."""
        titles, big = set[str](), forum in self.forums[:2]
        count = self.dims.threads if big else max(3, self.dims.threads // 8)
        while len(titles) < count:
            titles.add(writer.line("title", forum))
        numbers = set(range(1, 3 * count + 8)) - {self.dims.comments}
        sizes = writer.random.sample(sorted(numbers), count)
        sizes[0] = self.dims.comments if big else sizes[0]
        return [
            self._write_thread(writer, forum, title, size) for title, size in zip(sorted(titles), sizes, strict=True)
        ]

    def _write_thread(self, writer: Writer, forum: str, title: str, size: int) -> Thread:
        draw = writer.random
        linked = self.dims.pictures and draw.random() < 0.3
        return Thread(
            id=f"{draw.randrange(36**5, 36**6):x}",
            forum=forum,
            title=title,
            author=draw.choice(self.people),
            text=writer.text(forum, draw.randint(1, 2 + self.dims.side // 2)),
            link=draw.choice(word_list("sentences")["domain"]) if linked else "",
            flair=draw.choice(word_list("sentences")["flair"]),
            score=int(draw.paretovariate(0.9) * 4),
            age=draw.randint(3, 60 * 24 * 40),
            size=size,
            voices=tuple(draw.sample(self.people, max(2, min(len(self.people), size // 4)))),
        )

    def _old_habits(self, writer: Writer) -> None:
        """What the user did before: votes, saves and follows that the pages show."""
        draw = writer.random
        for thread in draw.sample(list(self.threads.values()), max(1, len(self.threads) // 9)):
            self.facts.add(("vote", thread.id, "up"))
        self.facts.add(("join", self.forums[0]))
        for person in draw.sample(self.people, 2):
            self.facts.add(("follow", person))

    def long_thread(self, forum: str) -> Thread:
        """The thread that has as many comments as the size class; the two big forums have one each."""
        return next(t for t in self.threads.values() if t.forum == forum and t.size == self.dims.comments)

    def said(self, person: str) -> list[tuple[Thread, Comment]]:
        """What a person wrote in the long threads, newest first, up to half as many as a thread shows."""
        long = [self.long_thread(forum) for forum in self.forums[:2]]
        found = [(thread, comment) for thread in long for comment in thread.flat if comment.author == person]
        return sorted(found, key=lambda pair: pair[1].age)[: self.dims.comments // 2]

    def liked(self, person: str) -> list[Thread]:
        """Threads that a person liked; told on long pages only."""
        if self.named:
            return []
        others = [thread for thread in self.threads.values() if thread.author != person]
        return Writer(f"{self.key}/liked/{person}").random.sample(others, self.dims.threads // 2)

    def listed(self, forum: str = "", sort: str = "hot") -> list[Thread]:
        """The threads of a forum (all forums: ""), hidden ones left out, in the given order."""
        keys = {
            "hot": lambda t: (-t.score / (t.age + 120), t.id),
            "new": lambda t: (t.age, t.id),
            "top": lambda t: (-t.score, t.id),
            "comments": lambda t: (-t.count, t.id),
        }
        threads = (t for t in self.threads.values() if forum in ("", t.forum) and ("hide", t.id) not in self.facts)
        return sorted(threads, key=keys[sort])

    def blurb(self, forum: str) -> str:
        return str(word_list("topics")[forum]["blurb"])

    def comment(self, comment_id: str) -> Comment | None:
        thread = self.threads.get(comment_id.partition("-")[0])
        return next((c for c in thread.flat if c.id == comment_id), None) if thread else None

    def happening(self, path: str) -> Happening | None:
        """On a list page somebody starts a thread."""
        forum = path.removeprefix("/f/")
        if forum not in (*self.forums, "/"):
            return None
        writer = Writer(f"new/{self.key}/{len(self.threads)}")
        name = writer.random.choice(self.forums) if forum == "/" else forum
        thread = self._write_thread(writer, name, writer.line("title", name), 0)
        thread.age = 0
        self.threads[thread.id] = thread
        html = fragment("forum/new_item", state=self, thread=thread, path=thread_path)
        return Happening("main article", html, f"New in {name}: {thread.title}")
