"""The shop's pages and actions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from focusagent.longpage.content import slug, word_list
from focusagent.longpage.shop.checkout import Checkout
from focusagent.longpage.shop.goods import Product, money
from focusagent.longpage.shop.world import SORTS, ShopState
from focusagent.longpage.site import Site
from focusagent.longpage.web import form, one_line, page, whole_number
from focusagent.sizes import Size

FILTERS = ("brand", "colour", "under", "stars")


class Shop(Site[ShopState]):
    name = "shop"
    package = "focusagent.longpage.shop"

    def state(self, seed: int, size: Size) -> ShopState:
        return ShopState(seed, size)

    def routes(self, state: ShopState) -> Sequence[BaseRoute]:
        pages, actions, checkout = Pages(state), Actions(state), Checkout(state)
        return [
            Route("/", pages.front),
            Route("/c/{category}", pages.category),
            Route("/p/{product}/{slug}", pages.product),
            Route("/p/{product}/{slug}", actions.add, methods=["POST"]),
            Route("/search", pages.search),
            Route("/cart", pages.cart),
            Route("/cart", actions.change, methods=["POST"]),
            Route("/account", pages.account),
            Route("/account", actions.address, methods=["POST"]),
            Route("/orders", pages.orders),
            Route("/orders/{order}", pages.order),
            Route("/orders/{order}", actions.send_back, methods=["POST"]),
            Route("/api/mark", actions.mark, methods=["POST"]),
            Route("/checkout/{step}", checkout.show),
            Route("/checkout/{step}", checkout.go_on, methods=["POST"]),
        ]


def product_path(product: Product) -> str:
    return f"/p/{product.id}/{slug(product.title)}"


def show(state: ShopState, template: str, **values: Any) -> Response:
    """A page of the shop, with what all of its templates use."""
    return page(f"shop/{template}", state=state, path=product_path, money=money, words=word_list("products"), **values)


def lost(state: ShopState) -> Response:
    answer = show(state, "lost")
    answer.status_code = 404
    return answer


class Pages:
    """What is shown."""

    def __init__(self, state: ShopState) -> None:
        self.state = state

    async def front(self, request: Request) -> Response:
        each = max(2, self.state.dims.products // 3)
        shelf = [self.state.listed(name, {}, "stars")[:each] for name in self.state.categories]
        return show(self.state, "front", shelf=zip(self.state.categories, shelf, strict=True))

    async def category(self, request: Request) -> Response:
        name, query = request.path_params["category"], request.query_params
        filters = {key: query.get(key, "") for key in FILTERS}
        sort = query.get("sort", "featured")
        numbers = [whole_number(filters[key]) for key in ("under", "stars") if filters[key]]
        if name not in self.state.categories or sort not in SORTS or None in numbers:
            return lost(self.state)
        self.state.view = ("list", name, *filters.values(), sort)
        everything, found = self.state.listed(name, {}, sort), self.state.listed(name, filters, sort)
        brands = sorted({product.brand for product in everything})
        return show(
            self.state, "category", name=name, filters=filters, sort=sort, sorts=SORTS, products=found, brands=brands
        )

    async def search(self, request: Request) -> Response:
        asked = one_line(request.query_params.get("q", ""))
        wanted = asked.casefold().split()
        found = [p for p in self.state.products.values() if all(word in p.title.casefold() for word in wanted)]
        self.state.view = ("search", asked)
        return show(self.state, "search", asked=asked, products=found if wanted else [])

    async def product(self, request: Request) -> Response:
        product = self.state.products.get(request.path_params["product"])
        if product is None:
            return lost(self.state)
        same = [p for p in self.state.listed(product.category, {}, "featured") if p is not product]
        related = same[: self.state.dims.related]
        return show(self.state, "product", product=product, reviews=self.state.reviews(product), related=related)

    async def cart(self, request: Request) -> Response:
        lines = self.state.cart()
        total = sum(product.price * count for product, _, count in lines)
        return show(self.state, "cart", lines=lines, total=total)

    async def account(self, request: Request) -> Response:
        return show(self.state, "account")

    async def orders(self, request: Request) -> Response:
        """The history; its end asks for `?older` once it is scrolled into view."""
        return show(self.state, "older" if "older" in request.query_params else "orders")

    async def order(self, request: Request) -> Response:
        order = next((o for o in self.state.orders if o.id == request.path_params["order"]), None)
        return show(self.state, "order", order=order) if order else lost(self.state)


class Actions:
    """What the customer does outside the checkout. Each leaves facts."""

    def __init__(self, state: ShopState) -> None:
        self.state = state

    async def add(self, request: Request) -> Response:
        product, fields = self.state.products.get(request.path_params["product"]), await form(request)
        colour, size, count = (fields.get(name, "") for name in ("colour", "size", "count"))
        if product is None or not product.stock or colour not in product.colours or size not in product.sizes:
            return Response("That is not for sale.", status_code=400)
        if whole_number(count) not in range(1, 10):
            return Response("That is not a number of pieces we sell.", status_code=400)
        choice = self.state.choice(product, colour, size)
        held = sum(number for other, what, number in self.state.cart() if (other, what) == (product, choice))
        self.state.set_count(product, choice, held + int(count))
        return RedirectResponse("/cart", status_code=303)

    async def change(self, request: Request) -> Response:
        fields = await form(request)
        product, choice, count = (fields.get(name, "") for name in ("product", "choice", "count"))
        known = any((line[0].id, line[1]) == (product, choice) for line in self.state.cart())
        if not known or whole_number(count) not in range(10):
            return Response("There is no such line in your cart.", status_code=400)
        self.state.set_count(self.state.products[product], choice, int(count))
        return RedirectResponse("/cart", status_code=303)

    async def address(self, request: Request) -> Response:
        chosen = (await form(request)).get("address", "")
        if chosen not in self.state.addresses:
            return Response("Unknown address.", status_code=400)
        self.state.facts -= {fact for fact in self.state.facts if fact[0] == "address"}
        self.state.facts.add(("address", chosen))
        return RedirectResponse("/account", status_code=303)

    async def send_back(self, request: Request) -> Response:
        order, reason = request.path_params["order"], (await form(request)).get("reason", "")
        if reason not in word_list("products")["returns"] or all(o.id != order for o in self.state.orders):
            return Response("This cannot be returned.", status_code=400)
        self.state.facts.add(("return", order, reason))
        return RedirectResponse(f"/orders/{order}", status_code=303)

    async def mark(self, request: Request) -> Response:
        """Wish or call a review helpful: on, or off again."""
        fields = await form(request)
        kind, what = fields.get("kind", ""), fields.get("id", "")
        if kind not in ("wish", "helpful") or what.partition("-")[0] not in self.state.products:
            return JSONResponse({"error": "unknown"}, status_code=400)
        return JSONResponse({"on": self.state.toggle((kind, what))})
