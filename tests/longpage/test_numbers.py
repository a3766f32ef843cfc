"""Numbers that no site expects are answered, and change nothing."""

from __future__ import annotations

import random
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from focusagent.longpage.desk.world import desk_words
from focusagent.longpage.sites import SITES

ODD = ["9" * 5_000, "-1", "1e3", "٣٣٣٣٣٣٣", "²", " ", "\x00", "0x10"]


@pytest.mark.parametrize("number", ODD)
def test_an_odd_number_is_refused_everywhere(number: str) -> None:
    for name, requests in _requests(number).items():
        state = SITES[name].state(0, "1k")
        client = TestClient(SITES[name].app(state))
        before = set(state.facts)
        for path, fields in requests:
            answer = client.post(path, data=fields) if fields else client.get(path)
            assert answer.status_code in (200, 400, 404), path
        assert state.facts == before


def _requests(number: str) -> dict[str, list[tuple[str, dict[str, str]]]]:
    shop = SITES["shop"].state(0, "1k")
    product = random.Random(0).choice([one for one in shop.products.values() if one.stock])
    chosen = {"colour": product.colours[0], "size": product.sizes[0], "count": number}
    line = shop.cart()[0]
    category, item = quote(product.category), desk_words()["items"][0]
    options = {name: values[0] for name, values in item["options"].items()}
    return {
        "forum": [(f"/?after={quote(number)}", {})],
        "shop": [
            (f"/c/{category}?under={quote(number)}", {}),
            (f"/c/{category}?stars={quote(number)}", {}),
            (f"/p/{product.id}/x", chosen),
            ("/cart", {"product": line[0].id, "choice": line[1], "count": number}),
        ],
        "desk": [(f"/catalogue/{quote(item['name'])}", options | {"count": number})],
        "code": [(f"/issues/{quote(number)}", {}), (f"/issues/{quote(number)}/note", {"text": "a"})],
    }
