"""What the service desk holds: incidents, people, articles, a catalogue, figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from focusagent.longpage.content import Writer, word_list
from focusagent.longpage.content_products import day
from focusagent.longpage.state import Happening, SiteState
from focusagent.sizes import Size

COLUMNS = {
    "number": "Number",
    "summary": "Short description",
    "caller": "Caller",
    "priority": "Priority",
    "state": "State",
    "group": "Assignment group",
    "opened": "Opened",
}
OPERATORS = {"is": "is", "not": "is not", "has": "contains"}


@dataclass(frozen=True)
class Dims:
    """Rows a list, people, articles, sentences an article, entries of an incident's history."""

    rows: int
    people: int
    articles: int
    steps: int
    history: int


DIMS: dict[Size, Dims] = {
    "1k": Dims(5, 8, 5, 6, 4),
    "8k": Dims(32, 40, 68, 14, 46),
    "25k": Dims(105, 120, 260, 24, 165),
    "60k": Dims(256, 300, 650, 40, 420),
    "130k": Dims(565, 600, 1_430, 60, 930),
}


@dataclass(frozen=True)
class Incident:
    number: str
    summary: str
    caller: str
    priority: str
    state: str
    group: str
    opened: str

    def column(self, name: str) -> str:
        return str(getattr(self, name))


@dataclass(frozen=True)
class Article:
    id: str
    title: str
    service: str
    steps: tuple[str, ...]
    facts: tuple[str, str, str]


@dataclass(frozen=True)
class PastOrder:
    person: str
    item: str
    configuration: str
    count: int
    date: str


def _filled(text: str, values: Mapping[str, str]) -> str:
    for slot, value in values.items():
        text = text.replace(slot, value)
    return text


def desk_words() -> Any:
    return word_list("desk")


class DeskState(SiteState):
    """Facts: incident (the fields of a new one), set (number, field, value), ordered (item, options, count)."""

    def __init__(self, seed: int, size: Size) -> None:
        super().__init__(size)
        self.dims, self.key, words = DIMS[size], f"desk/{seed}/{size}", desk_words()
        writer = Writer(self.key)
        draw = writer.random
        self.people = list(dict.fromkeys(writer.person() for _ in range(3 * self.dims.people)))[: self.dims.people]
        self.services: list[str] = words["services"]
        start = draw.randint(10_000, 60_000)
        dates = [day(writer, number) for number in range(self.dims.rows)]
        self.incidents = {
            f"INC00{start + 7 * number}": Incident(
                number=f"INC00{start + 7 * number}",
                summary=self._text(draw.choice(words["summaries"]), draw.choice(self.services), draw.randint(2, 9)),
                caller=draw.choice(self.people),
                priority=draw.choice(words["priorities"]),
                state=draw.choice(words["states"]),
                group=draw.choice(words["groups"]),
                opened=opened,
            )
            for number, opened in enumerate(dates)
        }
        self.articles = {article.id: article for article in self._articles(writer)}
        self.load = {name: draw.sample(range(11, 190), len(words["groups"])) for name in ("open", "solved", "breached")}
        self.answer_times = dict(zip(words["groups"], draw.sample(range(4, 95), len(words["groups"])), strict=True))
        self.begin()

    @staticmethod
    def _text(pattern: str, service: str, number: int) -> str:
        return pattern.replace("{service}", service).replace("{n}", str(number))

    def _articles(self, writer: Writer) -> list[Article]:
        """Titles repeat with other services; each article tells its own port, minutes and gigabytes."""
        draw, words, made = writer.random, desk_words(), list[Article]()
        pairs = [(title, service) for title in words["articles"] for service in self.services]
        ports = draw.sample(range(1_100, 9_900), self.dims.articles)
        for number in range(self.dims.articles):
            title, service = pairs[number * 7 % len(pairs)]
            edition = f", part {number // len(pairs) + 1}" if number >= len(pairs) else ""
            facts = (str(ports[number]), str(draw.randrange(5, 95, 5)), str(draw.randint(2, 99)))
            steps = [draw.choice(words["steps"][:8]) for _ in range(self.dims.steps)]
            for place, step in zip(draw.sample(range(len(steps)), 3), words["steps"][8:], strict=True):
                steps[place] = step
            values = {"{service}": service, "{port}": facts[0], "{minutes}": facts[1], "{giga}": facts[2]}
            title = title.replace("{service}", service) + edition
            name = f"KB00{draw.randrange(10**4)}{number:04d}"
            made.append(Article(name, title, service, tuple(_filled(step, values) for step in steps), facts))
        return made

    def history(self, incident: Incident) -> list[tuple[str, str, str]]:
        """Who wrote what when on an incident, newest first."""
        writer, words = Writer(f"{self.key}/{incident.number}"), desk_words()
        draw, made = writer.random, list[tuple[str, str, str]]()
        for number in range(self.dims.history):
            what = draw.choice(words["steps"][:8]).replace("{service}", draw.choice(self.services))
            made.append((draw.choice(self.people), day(writer, number), what))
        return made

    def seen(self) -> list[tuple[str, str, str]]:
        """Who looked at which entry of which module of the menu, newest first."""
        writer, menu = Writer(f"{self.key}/seen"), desk_words()["menu"]
        entries = [(module, entry) for module, names in menu.items() for entry in names]
        draw = writer.random
        return [(draw.choice(self.people), *draw.choice(entries)) for _ in range(2 * self.dims.rows)]

    def ordered_lately(self, items: Sequence[Mapping[str, Any]]) -> list[PastOrder]:
        """What colleagues ordered of the items; told on long pages only."""
        if self.named:
            return []
        writer, made = Writer(f"{self.key}/ordered/{len(items)}"), list[PastOrder]()
        draw = writer.random
        for number in range(self.dims.articles // 2):
            item = draw.choice(items)
            chosen = "; ".join(f"{name} {draw.choice(values)}" for name, values in item["options"].items())
            made.append(
                PastOrder(draw.choice(self.people), item["name"], chosen, draw.randint(1, 9), day(writer, number))
            )
        return made

    def listed(self, conditions: list[tuple[str, str, str]], order: str, down: bool) -> list[Incident]:
        """Incidents that meet all conditions (column, operator, value), by a column."""

        def meets(incident: Incident, column: str, operator: str, value: str) -> bool:
            held = incident.column(column).casefold()
            same = held == value.casefold() if operator != "has" else value.casefold() in held
            return same != (operator == "not")

        found = [i for i in self.incidents.values() if all(meets(i, *condition) for condition in conditions)]
        return sorted(found, key=lambda incident: (incident.column(order), incident.number), reverse=down)

    def update(self, number: str, field: str, value: str) -> None:
        """Change one field of an incident; a fact unless it held that value already."""
        incident = self.incidents[number]
        if incident.column(field) == value:
            return
        self.incidents[number] = replace(incident, **{field: value})
        self.facts -= {fact for fact in self.facts if fact[:3] == ("set", number, field)}
        self.facts.add(("set", number, field, value))

    def happening(self, path: str) -> Happening | None:
        """A colleague's message on top of the page."""
        html = "<p class='note'>3 incidents were updated by others since you opened this page.</p>"
        return Happening("main h1", html, "3 incidents were updated by others")
