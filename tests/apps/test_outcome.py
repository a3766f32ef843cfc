"""Exactly the asked change succeeds; each near miss does not."""

from __future__ import annotations

import pytest

from focusagent.apps.database import RowChange, Value
from focusagent.apps.outcome import ANY, Added, Changed, Removed, Shown, Updated
from focusagent.longpage.outcome import Answered

OLD: dict[str, Value] = {"id": 7, "status": "new", "owner": "ada", "price": "12.50"}
CLOSED = RowChange("ticket", OLD, {**OLD, "status": "closed"})
NOTED = RowChange("note", None, {"id": 1, "ticket": 7, "text": "done\r\n"})


class _State:
    def __init__(self, *changes: RowChange, address: str = "/list?sort=price&page=2") -> None:
        self.changes, self.address = list(changes), address
        self.path, self.parameters = "/list", {"sort": "price", "page": "2"}

    def change(self) -> list[RowChange]:
        return self.changes


CLOSE = Changed([Updated("ticket", {"id": 7}, {"status": "closed"}), Added("note", {"ticket": 7, "text": "done"})])


def _judge(outcome: object, *changes: RowChange) -> float:
    return float(outcome.judge(_State(*changes), []).success)  # type: ignore[attr-defined]


def test_exactly_the_asked_change_succeeds() -> None:
    assert _judge(CLOSE, CLOSED, NOTED) == 1
    assert CLOSE.judge(_State(CLOSED), []).progress == 0.5  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "changes",
    [
        (),
        (CLOSED,),
        (CLOSED, NOTED, NOTED),
        (CLOSED, NOTED, RowChange("note", {"id": 2}, None)),
        (RowChange("ticket", {**OLD, "id": 8}, {**OLD, "id": 8, "status": "closed"}), NOTED),
        (RowChange("ticket", OLD, {**OLD, "status": "closed", "owner": "bea"}), NOTED),
        (RowChange("ticket", OLD, {**OLD, "status": "open"}), NOTED),
        (CLOSED, RowChange("note", None, {"id": 1, "ticket": 7, "text": "done."})),
    ],
    ids=["nothing", "half", "twice", "too much", "other row", "other column", "other value", "other text"],
)
def test_near_misses_fail(changes: tuple[RowChange, ...]) -> None:
    assert _judge(CLOSE, *changes) == 0


def test_what_the_application_writes_down_itself_may_happen_or_not() -> None:
    logged = Changed([Removed("ticket", {"id": 7})], aside=[Added("log", {"what": ANY})])
    gone = RowChange("ticket", OLD, None)
    line = RowChange("log", None, {"what": None})
    assert [_judge(logged, gone), _judge(logged, gone, line, line), _judge(logged, line)] == [1, 1, 0]


def test_decimals_are_compared_as_numbers() -> None:
    cheaper = Changed([Updated("ticket", {"id": 7}, {"price": 9.9})])
    assert _judge(cheaper, RowChange("ticket", OLD, {**OLD, "price": "9.90"})) == 1
    assert _judge(cheaper, RowChange("ticket", OLD, {**OLD, "price": "9.99"})) == 0
    assert _judge(cheaper, RowChange("ticket", OLD, {**OLD, "price": "free"})) == 0


def test_a_list_is_shown_and_nothing_changed() -> None:
    assert _judge(Shown("/list", {"sort": "price"})) == 1
    assert _judge(Shown("/list", {"sort": "name"})) == 0
    assert _judge(Shown("/other")) == 0
    assert _judge(Shown("/list", {"sort": "price"}), CLOSED) == 0


def test_an_answer_counts_only_without_a_change() -> None:
    answer = Answered("12.50", ("12.99",))
    assert answer.judge(_State(), ["It is 12.50."]).success
    assert not answer.judge(_State(CLOSED), ["It is 12.50."]).success
    assert not answer.judge(_State(), ["12.50 or 12.99"]).success
