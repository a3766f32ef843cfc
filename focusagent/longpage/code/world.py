"""What the repository holds: files, issues, a merge request with review threads, branches, settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from focusagent.longpage.content import Writer, word_list
from focusagent.longpage.content_products import day
from focusagent.longpage.state import Happening, SiteState
from focusagent.sizes import Size


@dataclass(frozen=True)
class Dims:
    """Issues a list, notes an issue, review threads, lines a file, files, branches."""

    issues: int
    notes: int
    threads: int
    lines: int
    files: int
    branches: int


DIMS: dict[Size, Dims] = {
    "1k": Dims(5, 4, 5, 18, 8, 8),
    "8k": Dims(37, 40, 37, 82, 60, 100),
    "25k": Dims(145, 130, 124, 260, 205, 350),
    "60k": Dims(355, 315, 305, 640, 510, 870),
    "130k": Dims(775, 690, 665, 1_400, 1_110, 1_900),
}


@dataclass(frozen=True)
class Issue:
    number: int
    title: str
    author: str
    opened: str
    text: str


@dataclass(frozen=True)
class Note:
    id: str
    author: str
    when: str
    text: str


def code_words() -> Any:
    return word_list("code")


class CodeState(SiteState):
    """Facts: label, milestone, closed, note (about issues), resolved (threads), protected (branches), setting (on)."""

    def __init__(self, seed: int, size: Size) -> None:
        super().__init__(size)
        self.dims, self.key, words = DIMS[size], f"code/{seed}/{size}", code_words()
        writer = Writer(self.key)
        draw = writer.random
        self.people = writer.handles(max(8, self.dims.issues // 2))
        start = draw.randint(300, 4_000)
        self.issues = {number: self._issue(writer, number) for number in range(start, start + self.dims.issues)}
        self.threads = self._remarks(writer, "remarks", self.dims.threads)
        kinds = [(name, number) for number in range(1, 400) for name in words["branches"]]
        self.branches = [f"{name}-{number}" for name, number in kinds[: self.dims.branches]]
        names = [(part, number) for number in range(1, 200) for part in words["files"]]
        self.files = {f"src/{part}{number if number > 1 else ''}.py": part for part, number in names[: self.dims.files]}
        for number in self.issues:
            for label in draw.sample(words["labels"], draw.randint(0, 3)):
                self.facts.add(("label", str(number), label))
            self.facts.add(("milestone", str(number), draw.choice(words["milestones"])))
        self.facts |= {("protected", branch) for branch in self.branches}
        everything = [name for names in words["settings"].values() for name in names]
        self.facts |= {("setting", name) for name in draw.sample(everything, len(everything) // 2)}
        self.begin()

    def _line(self, writer: Writer, kind: str) -> str:
        draw, words = writer.random, code_words()
        text = str(draw.choice(words[kind])).replace("{part}", draw.choice(words["parts"]))
        text = text.replace("{n}", str(draw.randint(2, 40))).replace("{m}", str(draw.randint(0, 9)))
        return text[0].upper() + text[1:]

    def _issue(self, writer: Writer, number: int) -> Issue:
        author, opened = writer.random.choice(self.people), day(writer, number % 400)
        return Issue(number, self._line(writer, "issues"), author, opened, self._line(writer, "notes"))

    def notes(self, issue: Issue) -> list[Note]:
        return self._remarks(Writer(f"{self.key}/{issue.number}"), "notes", self.dims.notes)

    def _remarks(self, writer: Writer, kind: str, count: int) -> list[Note]:
        """Notes of a kind by the repository's people, newest first."""
        return [
            Note(f"{kind[0]}{number}", writer.random.choice(self.people), day(writer, number), self._line(writer, kind))
            for number in range(count)
        ]

    def constants(self, path: str) -> dict[str, int]:
        """The named numbers of a file, each different."""
        names = code_words()["constants"]
        return dict(zip(names, Writer(f"{self.key}/{path}").random.sample(range(12, 9_000), len(names)), strict=True))

    def source(self, path: str) -> list[str]:
        """The lines of a file: its constants, then functions."""
        writer, part = Writer(f"{self.key}/{path}/text"), self.files[path]
        lines = [f'"""The {part}."""', "", "from __future__ import annotations", ""]
        lines += [f"{name} = {value}" for name, value in self.constants(path).items()]
        number = 0
        while len(lines) < self.dims.lines:
            number += 1
            name = writer.random.choice(code_words()["constants"])
            lines += ["", "", f"def step_{number}(items: list[str], limit: int = {name}) -> list[str]:"]
            lines.append(f'    """{self._line(writer, "commits")}."""')
            lines.append(f"    return [item for item in items if len(item) < limit][:{number}]")
        return lines

    def last_commit(self, path: str) -> tuple[str, str]:
        """What it says and its day; on long pages every other one is about a branch."""
        writer = Writer(f"{self.key}/{path}/commit")
        said, when = self._line(writer, "commits"), day(writer, writer.random.randint(0, 30))
        if not self.named and writer.random.random() < 0.5:
            said = writer.random.choice(code_words()["branch_commits"]).replace(
                "{branch}", writer.random.choice(self.branches)
            )
        return said, when

    def switched(self, entry: int) -> str:
        """The setting that an entry of the audit log is about; of long logs, three entries in four."""
        if self.named or entry % 4 == 0:
            return ""
        names = [name for section in code_words()["settings"].values() for name in section]
        return str(Writer(f"{self.key}/log/{entry}").random.choice(names))

    def labels(self, issue: Issue) -> list[str]:
        return [name for name in code_words()["labels"] if ("label", str(issue.number), name) in self.facts]

    def milestone(self, issue: Issue) -> str:
        return next(fact[2] for fact in self.facts if fact[:2] == ("milestone", str(issue.number)))

    def happening(self, path: str) -> Happening | None:
        """A job ends while one looks on."""
        html = "<p class='note'>Pipeline 48213 passed on main a moment ago.</p>"
        return Happening("main h1", html, "Pipeline 48213 passed")
