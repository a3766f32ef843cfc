"""The desk's tasks on its server: the asked change is rewarded, near misses are not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from focusagent.longpage.desk.app import FIELDS
from focusagent.longpage.desk.world import COLUMNS, desk_words

SEEDS = range(4)
EpisodeMaker = Callable[..., Any]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_list_must_be_in_the_asked_order(episode: EpisodeMaker, seed: int) -> None:
    run = episode("longpage.desk.sort_incidents.1k", seed)
    _, column, direction = run.posed.outcome.view
    other = "caller" if column != "caller" else "state"
    for order, down in ((other, direction), (column, "up" if direction == "down" else "down")):
        run.client.get("/list", params={"order": order, "down": "1" if down == "down" else ""})
        assert not run.judge().success
    run.client.get("/list", params={"order": column, "down": "1" if direction == "down" else ""})
    assert run.judge().success


@pytest.mark.parametrize("seed", SEEDS)
def test_the_filter_must_be_exact(episode: EpisodeMaker, seed: int) -> None:
    run = episode("longpage.desk.filter_incidents.8k", seed)
    where = run.posed.outcome.view[3]
    column, _, value = where.split(":", 2)
    for wrong in (f"{column}:not:{value}", f"{column}:has:{value}", f"summary:is:{value}", f"{column}:is:{value}x"):
        run.client.get("/list", params={"where": wrong})
        assert not run.judge().success
    run.client.get("/list", params={"where": [where, "state:is:New"]})
    assert not run.judge().success
    shown = run.client.get("/list", params={"where": where}).text
    assert run.judge().success
    rows = [i for i in run.state.incidents.values() if i.column(column) == value]
    assert shown.count('<a href="/incident/') == len(rows)


@pytest.mark.parametrize("changed", [*FIELDS, None])
def test_every_field_of_a_new_incident_counts(episode: EpisodeMaker, changed: str | None) -> None:
    run = episode("longpage.desk.create_incident.1k")
    ((_, *values),) = run.posed.outcome.change.added
    fields = dict(zip(FIELDS, values, strict=True))
    if changed == "caller":
        fields["caller"] = next(name for name in run.state.people if name != fields["caller"])
    elif changed:
        fields[changed] += " extra"
    assert run.post("/new", **fields) == 303
    assert run.judge().success is (changed is None)


def test_an_incident_needs_a_known_caller(episode: EpisodeMaker) -> None:
    run = episode("longpage.desk.create_incident.1k")
    assert run.post("/new", caller="Nobody", summary="x") == 400
    assert run.post("/new", caller=run.state.people[0], summary=" ") == 400
    assert not run.state.change()


@pytest.mark.parametrize("changed", ["option", "count", "item", "twice", None])
def test_orders_want_item_options_and_count(episode: EpisodeMaker, changed: str | None) -> None:
    run = episode("longpage.desk.order_item.1k", 1)
    ((_, name, *chosen, count),) = run.posed.outcome.change.added
    items = {item["name"]: item for item in desk_words()["items"]}
    options = dict(zip(items[name]["options"], chosen, strict=True))
    if changed == "option":
        first = next(iter(options))
        options[first] = next(value for value in items[name]["options"][first] if value != options[first])
    if changed == "count":
        count = "1"
    if changed == "item":
        name = next(other for other in items if other != name)
        options = {key: values[0] for key, values in items[name]["options"].items()}
    for _ in range(2 if changed == "twice" else 1):
        assert run.post(f"/catalogue/{name}", count=count, **options) == 303
    if changed == "twice":
        run.post(f"/catalogue/{name}", count="9" if count != "9" else "8", **options)
    assert run.judge().success is (changed is None)
    assert run.post(f"/catalogue/{name}", count="0", **options) == 400
    assert run.post(f"/catalogue/{name}", count="1") == 400


@pytest.mark.parametrize("task", ["read_chart", "article_fact"])
@pytest.mark.parametrize("seed", SEEDS)
def test_answers_name_one_figure(episode: EpisodeMaker, task: str, seed: int) -> None:
    run = episode(f"longpage.desk.{task}.8k", seed)
    answer, rivals = run.posed.outcome.answer, run.posed.outcome.rivals
    assert answer not in rivals
    assert run.judge(f"It is {answer}.").success
    for said in (*rivals[:3], f"{answer} or {rivals[0]}", f"{answer}0", "none"):
        assert not run.judge(said).success


def test_the_menu_entry_must_be_the_asked_one(episode: EpisodeMaker) -> None:
    run = episode("longpage.desk.open_page.1k")
    entry = run.posed.slots["entry"]
    for wrong in ("Asked by nobody", entry.lower(), "Change calendar" if entry != "Change calendar" else "Users"):
        run.client.get(f"/page/{wrong}")
        assert not run.judge().success
    run.client.get(f"/page/{entry}")
    assert run.judge().success


@pytest.mark.parametrize("seed", SEEDS)
def test_only_the_group_of_that_incident_changes(episode: EpisodeMaker, seed: int) -> None:
    run = episode("longpage.desk.reassign.8k", seed)
    ((_, number, _, group),) = run.posed.outcome.change.added
    incident = run.state.incidents[number]
    other = next(i for i in run.state.incidents.values() if i.number != number and i.group != group)
    fields = {"priority": incident.priority, "state": incident.state, "group": group}
    wrong_state = next(value for value in desk_words()["states"] if value != incident.state)
    run.post(f"/incident/{number}", **fields | {"state": wrong_state})
    assert not run.judge().success
    run = episode("longpage.desk.reassign.8k", seed)
    run.post(f"/incident/{other.number}", priority=other.priority, state=other.state, group=group)
    assert not run.judge().success
    run = episode("longpage.desk.reassign.8k", seed)
    assert run.post(f"/incident/{number}", **fields | {"group": "Nobody"}) == 400
    assert run.post(f"/incident/{number}", **fields) == 303
    assert run.judge().success


def test_the_list_has_its_columns_and_refuses_others(episode: EpisodeMaker) -> None:
    client = episode("longpage.desk.sort_incidents.1k").client
    page = client.get("/list").text
    assert all(label in page for label in COLUMNS.values())
    for query in ("order=salary", "where=state:is", "where=salary:is:1", "where=state:like:New"):
        assert client.get(f"/list?{query}").status_code == 404
    for path in ("/incident/INC0", "/catalogue/Yacht", "/knowledge/KB0"):
        assert client.get(path).status_code == 404
    assert "<script>x" not in client.get("/list", params={"where": "state:is:<script>x"}).text
    assert 'src="//evil' not in client.get("/?frame=//evil").text
