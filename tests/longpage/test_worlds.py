"""Content is a function of the seed alone, and grows with the size class."""

from __future__ import annotations

import random
import subprocess
import sys
from itertools import pairwise

import pytest
from starlette.testclient import TestClient

from focusagent.longpage.sites import SITES
from focusagent.sizes import SIZES, Size


def pages(seed: int) -> str:
    """Goal and start page of every template."""
    text = []
    for site in SITES.values():
        for template in site.tasks.values():
            state = site.state(seed, "1k")
            posed = template.pose(state, random.Random(5))
            text.append(template.goal(posed, random.Random(6)))
            text.append(TestClient(site.app(state)).get(posed.start).text)
    return "\n".join(text)


def test_the_same_seed_gives_the_same_pages_in_another_process() -> None:
    program = f"import runpy; print(runpy.run_path({__file__!r})['pages'](3))"
    command = [sys.executable, "-c", program]
    other = subprocess.run(command, capture_output=True, text=True, env={"PYTHONHASHSEED": "7"}, check=True)
    assert len(pages(3)) > 10_000
    assert other.stdout.rstrip("\n") == pages(3).rstrip("\n")
    assert pages(3) != pages(4)


@pytest.mark.parametrize("site", SITES)
def test_bigger_classes_have_longer_pages(site: str) -> None:
    def length(size: Size) -> int:
        state = SITES[site].state(1, size)
        return len(TestClient(SITES[site].app(state)).get("/list" if site == "desk" else "/").text)

    lengths = [length(size) for size in SIZES]
    assert all(2 * small < big * 1.4 for small, big in pairwise(lengths))


@pytest.mark.parametrize("site", SITES)
def test_states_share_nothing(site: str) -> None:
    first, second = (SITES[site].state(1, "1k") for _ in range(2))
    before = frozenset(second.facts)
    first.facts.add(("anything",))
    assert first.change()
    assert not second.change()
    assert second.facts == before


@pytest.mark.parametrize("site", SITES)
def test_events_come_only_where_they_are_switched_on_and_notices_until_closed(site: str) -> None:
    state = SITES[site].state(1, "1k")
    client = TestClient(SITES[site].app(state))
    before = frozenset(state.facts)
    assert client.get("/events?path=/").json() == []
    state.eventful = True
    kinds = [[event["kind"] for event in client.get("/events?path=/").json()] for _ in range(3)]
    assert ["cookies" in kind for kind in kinds] == [True] * 3
    assert ["newsletter" in kind for kind in kinds] == [False, True, True]
    assert ["session" in kind for kind in kinds] == [False, False, True]
    client.post("/events", data={"kind": "newsletter"})
    client.post("/events", data={"kind": "nonsense"})
    left = [event["kind"] for event in client.get("/events?path=/").json()]
    assert "newsletter" not in left
    assert "cookies" in left
    framed = [event["kind"] for event in client.get("/events?path=/&framed").json()]
    assert not {"cookies", "session"} & set(framed)
    assert frozenset(state.facts) == before
