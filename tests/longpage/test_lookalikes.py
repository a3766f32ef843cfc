"""A target is told from its neighbours by what stands beside it: pages of 8k and more hold five others of its label."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from focusagent.longpage.sites import SITES

EpisodeMaker = Callable[..., Any]
LABELS = {
    "forum.follow_starter": r"started by\s+<a",
    "forum.reply_comment": ">Reply<",
    "forum.upvote_comment": 'aria-label="Upvote"',
    "shop.default_address": ">Make default<",
    "shop.order_total": ">Total<",
    "shop.put_in_cart": '<li class="product">',
    "shop.remove_line": ">Remove<",
    "shop.return_order": ">Order details<",
    "shop.thank_reviewer": r"Helpful\s*<",
    "shop.who_reviewed": "Reviewed on",
    "desk.article_fact": 'href="/knowledge/',
    "desk.order_item": 'href="/catalogue/',
    "desk.reassign": 'href="/incident/',
    "code.add_label": r'href="/issues/\d+"',
    "code.close_with_note": r'href="/issues/\d+"',
    "code.find_constant": r'href="/blob/[\w/.]+"',
    "code.resolve_thread": ">Resolve thread<",
    "code.set_milestone": r'href="/issues/\d+"',
    "code.unprotect_branch": ">Unprotect<",
}
SECOND_PAGE = {"shop.default_address": "/account", "shop.order_total": "/orders", "code.unprotect_branch": "/branches"}
ROW_WORDS = {"shop.put_in_cart": "title", "code.add_label": "title", "desk.reassign": "summary"}


@pytest.mark.parametrize("size", ["8k", "25k"])
@pytest.mark.parametrize("name", LABELS)
def test_five_others_have_the_same_label(episode: EpisodeMaker, name: str, size: str) -> None:
    run = episode(f"longpage.{name}.{size}")
    path = SECOND_PAGE.get(name) or run.posed.start
    html = run.client.get(path.removeprefix("/?frame=")).text
    assert len(re.findall(LABELS[name], html)) >= 6


@pytest.mark.parametrize("name", ROW_WORDS)
@pytest.mark.parametrize("seed", range(3))
def test_five_others_share_most_words_of_the_goals_text(episode: EpisodeMaker, name: str, seed: int) -> None:
    run = episode(f"longpage.{name}.25k", seed)
    wanted = set(run.posed.slots[ROW_WORDS[name]].lower().split())
    match name.partition(".")[0]:
        case "shop":
            texts = [product.title for product in run.state.products.values()]
        case "desk":
            texts = [incident.summary for incident in run.state.incidents.values()]
        case _:
            texts = [issue.title for issue in run.state.issues.values()]
    alike = [text for text in texts if 2 * len(wanted & set(text.lower().split())) >= len(wanted)]
    assert len(alike) >= 6


def test_every_template_that_points_at_a_row_is_here() -> None:
    rows = {"list", "seeking", "writing", "order"}
    pointing = {f"{site}.{task.name}" for site in SITES for task in SITES[site].tasks.values() if task.kind in rows}
    assert pointing - LABELS.keys() == {"forum.most_discussed", "shop.buy"}
