"""Long pages say what a goal says in many places that it is not about; short ones hold none of this."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

EpisodeMaker = Callable[..., Any]


@pytest.mark.parametrize(
    ("task", "path", "slot", "others"),
    [
        ("code.switch_setting", "/settings", "setting", 5),
        ("desk.order_item", "/catalogue/{item}", "item", 50),
        ("desk.order_item", "/catalogue", "item", 5),
        ("desk.open_page", "/overview", "entry", 5),
        ("desk.filter_incidents", "/list", "value", 5),
        ("shop.default_address", "/account", "address", 5),
    ],
)
def test_the_goals_words_stand_elsewhere_too(
    episode: EpisodeMaker, task: str, path: str, slot: str, others: int
) -> None:
    run = episode(f"longpage.{task}.25k")
    html = run.client.get(path.format(**run.posed.slots)).text
    assert html.count(run.posed.slots[slot]) > others


@pytest.mark.parametrize("size", ["1k", "8k"])
@pytest.mark.parametrize(
    ("task", "path", "title"),
    [
        ("desk.order_item", "/catalogue", "Ordered lately"),
        ("desk.open_page", "/overview", "Seen by your team"),
        ("code.switch_setting", "/settings", "Turned “"),
        ("code.unprotect_branch", "/branches", "again before it is pushed"),
        ("shop.order_total", "/orders", "Sent to"),
        ("shop.cheapest_first", "/", " department · "),
    ],
)
def test_short_pages_are_without(episode: EpisodeMaker, task: str, path: str, title: str, size: str) -> None:
    assert title not in episode(f"longpage.{task}.{size}").client.get(path).text
    assert title in episode(f"longpage.{task}.25k").client.get(path).text


def test_reviews_say_what_was_bought(episode: EpisodeMaker) -> None:
    run = episode("longpage.shop.buy.25k")
    bought = run.client.get(run.posed.start).text.count(f"Purchased: {run.state.featured.title}, Colour: ")
    assert bought == run.state.dims.reviews
