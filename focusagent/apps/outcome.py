"""When an episode has succeeded: the database changed as asked and in no other way, or the answer is right, or the
browser shows the asked page."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from focusagent.apps.database import Row, RowChange, Value
from focusagent.apps.state import AppState
from focusagent.longpage.outcome import Verdict

Wanted = Value | re.Pattern[str]
ANY = re.compile(".*", re.DOTALL)


@dataclass(frozen=True)
class Added:
    """A new row with these values; its other columns may hold anything."""

    table: str
    values: Mapping[str, Wanted]

    def fits(self, change: RowChange) -> bool:
        return change.table == self.table and change.before is None and _holds(change.after, self.values)


@dataclass(frozen=True)
class Removed:
    """A row that held these values is gone."""

    table: str
    values: Mapping[str, Wanted]

    def fits(self, change: RowChange) -> bool:
        return change.table == self.table and change.after is None and _holds(change.before, self.values)


@dataclass(frozen=True)
class Updated:
    """The row that held `where` now holds `to`; no column changed but these and those in `also`."""

    table: str
    where: Mapping[str, Wanted]
    to: Mapping[str, Wanted]
    also: Collection[str] = ()

    def fits(self, change: RowChange) -> bool:
        if change.table != self.table or not change.columns or not _holds(change.before, self.where):
            return False
        return _holds(change.after, self.to) and change.columns <= {*self.to, *self.also}


Expected = Added | Removed | Updated


@dataclass(frozen=True)
class Changed:
    """Each of `rows` happened once, and nothing else but, any number of times, `aside`: what the application writes
    down of its own accord when the asked thing is done."""

    rows: Sequence[Expected]
    aside: Sequence[Expected] = field(default=())

    def judge(self, state: AppState, messages: Sequence[str]) -> Verdict:
        """`messages` do not count."""
        missing, extra = list(self.rows), list[RowChange]()
        for change in state.change():
            match = next((row for row in missing if row.fits(change)), None)
            if match is not None:
                missing.remove(match)
            elif not any(row.fits(change) for row in self.aside):
                extra.append(change)
        reached = len(self.rows) - len(missing)
        success = not missing and not extra
        note = f"{reached} of {len(self.rows)} changes; besides: {', '.join(map(str, extra[:3])) or 'nothing'}"
        return Verdict(success, success, reached / len(self.rows), note)


@dataclass(frozen=True)
class Shown:
    """The browser shows this path with at least these parameters, and nothing was changed."""

    path: str
    parameters: Mapping[str, str] = field(default_factory=dict)

    def judge(self, state: AppState, messages: Sequence[str]) -> Verdict:
        """`messages` do not count."""
        held = state.parameters
        there = state.path == self.path and all(held.get(name) == value for name, value in self.parameters.items())
        success = there and not state.change()
        return Verdict(success, success, float(there), f"the browser is at {state.address}")


def _holds(row: Row | None, wanted: Mapping[str, Wanted]) -> bool:
    if row is None:
        return False
    return all(name in row and _same(row[name], value) for name, value in wanted.items())


def _same(held: Value, wanted: Wanted) -> bool:
    """Numbers are compared as numbers (a decimal may be kept as text), line ends as one, all else exactly."""
    if isinstance(wanted, re.Pattern):
        return wanted.fullmatch(str(held)) is not None
    if isinstance(wanted, int | float) and held is not None and not isinstance(held, bytes):
        try:
            return abs(float(held) - wanted) < 1e-9
        except ValueError:
            return False
    if isinstance(held, str) and isinstance(wanted, str):
        return held.replace("\r\n", "\n").strip() == wanted.replace("\r\n", "\n").strip()
    return held == wanted
