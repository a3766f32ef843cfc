"""The checkout: address, delivery, payment, and the order that comes of them."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from focusagent.longpage.content import word_list
from focusagent.longpage.shop.goods import money
from focusagent.longpage.shop.world import ShopState
from focusagent.longpage.web import form, page

STEPS = ("address", "delivery", "payment", "done")


class Checkout:
    """Three pages, each with a choice; a page whose predecessors are open sends the customer back to them."""

    def __init__(self, state: ShopState) -> None:
        self.state = state

    def choices(self, step: str) -> list[str]:
        words = word_list("products")
        known: dict[str, list[str]] = {
            "address": self.state.addresses,
            "delivery": [way[0] for way in words["shipping"]],
            "payment": words["cards"],
        }
        return known.get(step, [])

    async def show(self, request: Request) -> Response:
        step = request.path_params["step"]
        if step not in STEPS:
            return RedirectResponse("/cart", status_code=303)
        if step == "done" and self.state.checkout.get("placed"):
            return self._page(step)
        open_step = next((s for s in STEPS[:3] if s not in self.state.checkout), "payment")
        if STEPS.index(step) > STEPS.index(open_step) or not self.state.cart():
            return RedirectResponse(f"/checkout/{open_step}" if self.state.cart() else "/cart", status_code=303)
        return self._page(step)

    async def go_on(self, request: Request) -> Response:
        step, chosen = request.path_params["step"], (await form(request)).get("choice", "")
        if chosen not in self.choices(step) or not self.state.cart():
            return Response("Please choose one of the options.", status_code=400)
        self.state.checkout[step] = chosen
        if step == "payment":
            if not {"address", "delivery"} <= self.state.checkout.keys():
                return RedirectResponse("/checkout/address", status_code=303)
            self._place()
        return RedirectResponse(f"/checkout/{STEPS[STEPS.index(step) + 1]}", status_code=303)

    def _place(self) -> None:
        """Everything in the cart becomes the order."""
        made = [self.state.checkout[step] for step in STEPS[:3]]
        for product, choice, count in self.state.cart():
            self.state.facts.add(("order", product.id, choice, str(count), *made))
            self.state.set_count(product, choice, 0)
        self.state.checkout = {"placed": "yes"}

    def _page(self, step: str) -> Response:
        return page(
            "shop/checkout",
            state=self.state,
            step=step,
            steps=STEPS,
            choices=self.choices(step),
            ways={way[0]: way for way in word_list("products")["shipping"]},
            lines=self.state.cart(),
            notes=word_list("products")["notes"],
            money=money,
        )
