"""Read one figure of a dashboard on which three charts name the same groups."""

from __future__ import annotations

import random
from collections.abc import Mapping

from focusagent.axtree import AxLine
from focusagent.longpage.desk.world import DeskState, desk_words
from focusagent.longpage.outcome import Answered
from focusagent.longpage.page import Page
from focusagent.longpage.template import Past, Posed, Template
from focusagent.scripted.policies import Plan
from focusagent.scripted.steps import say

CHARTS = {
    "open": ("Open incidents", "tickets are waiting for"),
    "solved": ("Incidents solved this month", "tickets were finished lately by"),
    "breached": ("Incidents past their deadline", "tickets are overdue with"),
}


class ReadChart(Template[DeskState]):
    name = "read_chart"
    kind = "chart"
    steps = 1
    wordings = ("How many {what} the {group} team? A number will do.", "Tell me how many {what} the {group} team.")

    def pose(self, state: DeskState, draw: random.Random) -> Posed:
        chart, place = draw.choice(list(CHARTS)), draw.randrange(len(desk_words()["groups"]))
        answer = state.load[chart][place]
        shown = {str(value) for values in state.load.values() for value in values} - {str(answer)}
        slots = {"what": CHARTS[chart][1], "group": desk_words()["groups"][place]}
        return Posed(slots, "/", Answered(str(answer), tuple(sorted(shown))))

    def act(self, slots: Mapping[str, str], page: Page, past: Past) -> Plan:
        chart = next((title for title, what in CHARTS.values() if what == slots["what"]), "")
        tables = [table for table in page.all("table") if page.all("columnheader", within=table)]
        table = page.best(tables, f"Group {chart}", lambda line: self._head(page, line))
        rows = page.all("row", within=table) if table else []
        cells = [page.all("cell", "gridcell", within=row) for row in rows]
        named = next((row for row in cells if row and row[0].name == slots["group"]), None)
        return say(named[-1].name if named else "0", f"The table under the chart says it for {slots['group']}.")

    @staticmethod
    def _head(page: Page, table: AxLine) -> str:
        return " ".join(line.name for line in page.all("columnheader", within=table))


TASK = ReadChart()
