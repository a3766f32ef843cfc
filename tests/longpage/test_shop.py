"""The shop's tasks on its server: the asked change is rewarded, near misses are not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from focusagent.longpage.shop.app import product_path

SEEDS = range(4)
EpisodeMaker = Callable[..., Any]


@pytest.mark.parametrize("seed", SEEDS)
def test_filters_must_be_these_and_no_others(episode: EpisodeMaker, seed: int) -> None:
    run = episode("longpage.shop.filter_products.8k", seed)
    slots = run.posed.slots
    path = f"/c/{slots['category']}"
    asked = {"brand": slots["brand"], "under": slots["under"]}
    for wrong in (
        {"brand": slots["brand"]},
        {"under": slots["under"]},
        asked | {"stars": "4"},
        asked | {"sort": "price"},
    ):
        run.client.get(path, params=wrong)
        assert not run.judge().success
    run.client.get(path, params=asked)
    assert run.judge().success
    run.client.get("/search", params={"q": slots["brand"]})
    assert not run.judge().success


def test_sorting_the_other_way_or_elsewhere_is_not_enough(episode: EpisodeMaker) -> None:
    run = episode("longpage.shop.cheapest_first.1k")
    category = run.posed.slots["category"]
    other = next(name for name in run.state.categories if name != category)
    for path in (f"/c/{category}?sort=dear", f"/c/{category}", f"/c/{other}?sort=price"):
        run.client.get(path)
        assert not run.judge().success
    run.client.get(f"/c/{category}?sort=price")
    assert run.judge().success


@pytest.mark.parametrize("changed", ["colour", "size", "count", "product", None])
def test_cart_wants_the_product_with_its_options(episode: EpisodeMaker, changed: str | None) -> None:
    run = episode("longpage.shop.put_in_cart.8k", 2)
    slots = dict(run.posed.slots)
    ((_, product_id, _, _),) = run.posed.outcome.change.added
    product = run.state.products[product_id]
    if changed == "colour":
        slots["colour"] = next(colour for colour in product.colours if colour != slots["colour"])
    elif changed == "size":
        slots["size"] = next(size for size in product.sizes if size != slots["size"])
    elif changed == "count":
        slots["count"] = "6"
    elif changed == "product":
        product = next(
            p for p in run.state.products.values() if p.stock and slots["colour"] in p.colours and p is not product
        )
        slots["size"] = product.sizes[0]
    fields = {name: slots[name] for name in ("colour", "size", "count")}
    assert run.post(product_path(product), **fields) == 303
    assert run.judge().success is (changed is None)


@pytest.mark.parametrize("changed", ["address", "delivery", "card", "twice", None])
def test_checkout_wants_every_choice_right(episode: EpisodeMaker, changed: str | None) -> None:
    run = episode("longpage.shop.buy.1k")
    slots, state = dict(run.posed.slots), run.state
    others = {
        "address": state.addresses,
        "delivery": ["Standard", "Express"],
        "card": ["Gift balance", "Invoice, 14 days"],
    }
    if changed in others:
        slots[changed] = next(value for value in others[changed] if value != slots[changed])
    count = "2" if changed == "twice" else "1"
    run.post(product_path(state.featured), colour=slots["colour"], size=slots["size"], count=count)
    assert run.client.get("/checkout/payment").url.path == "/checkout/address"
    assert run.post("/checkout/payment", choice=slots["card"]) == 303
    assert not [fact for fact in state.facts if fact[0] == "order"]
    for step, slot in (("address", "address"), ("delivery", "delivery"), ("payment", "card")):
        assert not run.judge().success
        assert run.post(f"/checkout/{step}", choice="nonsense") == 400
        assert run.post(f"/checkout/{step}", choice=slots[slot]) == 303
    assert run.client.get("/checkout/done").status_code == 200
    assert run.judge().success is (changed is None)


@pytest.mark.parametrize("task", ["who_reviewed", "order_total"])
@pytest.mark.parametrize("seed", SEEDS)
def test_answers_name_one_value(episode: EpisodeMaker, task: str, seed: int) -> None:
    run = episode(f"longpage.shop.{task}.8k", seed)
    answer, rivals = run.posed.outcome.answer, run.posed.outcome.rivals
    assert len(rivals) >= 5
    assert run.judge(f"That is {answer}.").success
    rival = next(value for value in rivals if value != answer)
    for said in (rival, f"{answer} and {rival}", "no idea", answer[:-1]):
        assert not run.judge(said).success


@pytest.mark.parametrize("seed", SEEDS)
def test_thanking_someone_else_as_well_is_too_much(episode: EpisodeMaker, seed: int) -> None:
    run = episode("longpage.shop.thank_reviewer.8k", seed)
    ((_, target),) = run.posed.outcome.change.added
    other = next(r.id for r in run.state.reviews(run.state.featured) if r.id != target)
    run.post("/api/mark", kind="helpful", id=other)
    run.post("/api/mark", kind="helpful", id=target)
    assert not run.judge().success
    run.post("/api/mark", kind="helpful", id=other)
    assert run.judge().success


@pytest.mark.parametrize("seed", SEEDS)
def test_removing_another_line_or_changing_its_count_is_not_it(episode: EpisodeMaker, seed: int) -> None:
    run = episode("longpage.shop.remove_line.8k", seed)
    ((_, product, choice, _),) = run.posed.outcome.change.removed
    other = next(line for line in run.state.cart() if line[0].id != product)
    run.post("/cart", product=product, choice=choice, count="7")
    assert not run.judge().success
    run.post("/cart", product=other[0].id, choice=other[1], count="0")
    run.post("/cart", product=product, choice=choice, count="0")
    assert not run.judge().success
    run = episode("longpage.shop.remove_line.8k", seed)
    run.post("/cart", product=product, choice=choice, count="0")
    assert run.judge().success
    assert run.post("/cart", product=product, choice=choice, count="1") == 400


def test_returns_want_the_order_and_the_reason(episode: EpisodeMaker) -> None:
    run = episode("longpage.shop.return_order.8k")
    ((_, order, reason),) = run.posed.outcome.change.added
    wrong = "Wrong item" if reason != "Wrong item" else "Arrived damaged"
    other = next(o.id for o in run.state.orders if o.id != order)
    assert run.post(f"/orders/{order}", reason="because") == 400
    assert run.post(f"/orders/{other}", reason=reason) == 303
    assert not run.judge().success
    run = episode("longpage.shop.return_order.8k")
    run.post(f"/orders/{order}", reason=wrong)
    assert not run.judge().success
    run = episode("longpage.shop.return_order.8k")
    run.post(f"/orders/{order}", reason=reason)
    assert run.judge().success


def test_default_address_moves_to_the_asked_one(episode: EpisodeMaker) -> None:
    run = episode("longpage.shop.default_address.1k")
    wanted = run.posed.slots["address"]
    wrong = next(place for place in run.state.addresses[1:] if place != wanted)
    assert run.post("/account", address="Nowhere 1") == 400
    run.post("/account", address=wrong)
    assert not run.judge().success
    run.post("/account", address=wanted)
    assert run.judge().success


def test_nonsense_is_refused_and_changes_nothing(episode: EpisodeMaker) -> None:
    run = episode("longpage.shop.buy.1k")
    path = product_path(run.state.featured)
    for fields in ({}, {"colour": "Plaid"}, {"colour": run.posed.slots["colour"], "size": "Huge", "count": "1"}):
        assert run.post(path, **fields) == 400
    for count in ("0", "-1", "10", "many", "1.5", ""):
        assert run.post(path, colour=run.posed.slots["colour"], size=run.posed.slots["size"], count=count) == 400
    assert run.post("/p/none/none", colour="a", size="b", count="1") == 400
    assert run.post("/api/mark", kind="wish", id="none") == 400
    assert run.client.get("/c/nowhere").status_code == 404
    assert run.client.get("/c/office?under=<script>").status_code == 404
    assert not run.state.change()
