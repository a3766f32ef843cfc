"""What the shop sells and what its customer has: products, reviews, addresses, orders, a cart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from focusagent.longpage.content import Writer, word_list
from focusagent.longpage.content_products import address, day, product_line
from focusagent.longpage.shop.goods import Order, Product, Review
from focusagent.longpage.state import Happening, SiteState
from focusagent.sizes import Size

SORTS = {"featured": "Featured", "price": "Price, low to high", "dear": "Price, high to low", "stars": "Best rated"}
STATUSES = ("Delivered", "Delivered", "Delivered", "On its way", "Returned")


@dataclass(frozen=True)
class Dims:
    """Products a catalogue page and category, reviews a product, past orders, lines in the cart, related products."""

    products: int
    reviews: int
    orders: int
    cart: int
    related: int


DIMS: dict[Size, Dims] = {
    "1k": Dims(4, 3, 6, 6, 1),
    "8k": Dims(23, 25, 25, 24, 6),
    "25k": Dims(76, 84, 76, 72, 10),
    "60k": Dims(192, 214, 190, 176, 12),
    "130k": Dims(424, 475, 415, 385, 12),
}


class ShopState(SiteState):
    """Facts: cart (product, choice, count), wish, order, return, helpful, address (the default one)."""

    def __init__(self, seed: int, size: Size) -> None:
        super().__init__(size)
        self.dims = DIMS[size]
        self.key = f"shop/{seed}/{size}"
        writer = Writer(self.key)
        draw = writer.random
        names = sorted(word_list("products")["categories"])
        self.categories = draw.sample(names, 6 if size != "1k" else 3)
        self.products: dict[str, Product] = {}
        few = max(3, self.dims.products // 8)
        for name in self.categories:
            for product in self._make_products(
                writer, name, self.dims.products if name in self.categories[:2] else few
            ):
                self.products[product.id] = product
        self.addresses = [address(writer) for _ in range(7)]
        self.orders = self._make_orders(writer)
        self.scarce: set[str] = set()
        wished = draw.sample(list(self.products), 2)
        self.facts |= {("wish", product) for product in wished}
        self.facts.add(("address", self.addresses[0]))
        for product in draw.sample(list(self.products.values()), min(self.dims.cart, len(self.products))):
            self.facts.add(("cart", product.id, self.choice(product, *self.pick(draw.random(), product)), "1"))
        self.checkout: dict[str, str] = {}
        self.begin()

    def _make_products(self, writer: Writer, category: str, count: int) -> list[Product]:
        """Distinct titles in families of about seven, alike in brand, noun and use, with other traits and models. The
        first is in stock and affordable."""
        words, draw = word_list("products"), writer.random
        goods, titles = words["categories"][category], dict[str, str]()
        variety = 3 if count < 40 else 8
        families = [
            (
                draw.choice(words["brands"][:variety]),
                draw.choice(goods["nouns"][: variety + 4]),
                f" for {draw.choice(goods['uses'])}" if draw.random() < 0.8 else "",
            )
            for _ in range(max(2, count // 7))
        ]
        while len(titles) < count:
            brand, noun, use = families[len(titles) % len(families)]
            model = f" {draw.choice('ACFKLRTX')}{draw.randint(1, 9)}{draw.choice('05')}" if draw.random() < 0.7 else ""
            titles[f"{brand} {draw.choice(goods['traits'])} {noun}{model}{use}"] = brand
        prices = draw.sample(range(900, 60_000, 10), count)
        prices[0] = 900 + prices[0] % 38_000
        left = [40, *(draw.choice((0, 3, 12, 40, 40, 40)) for _ in prices[1:])]
        return [
            Product(
                id=f"{draw.randrange(16**7, 16**8):x}",
                category=category,
                brand=brand,
                title=title,
                price=price - price % 100 + draw.choice((0, 49, 90, 95, 99)),
                stars=draw.randint(26, 50) / 10,
                colours=tuple(draw.sample(words["colours"], draw.randint(2, 4))),
                sizes=tuple(goods["sizes"]),
                stock=stock,
                weight=draw.randrange(120, 9_800, 10),
            )
            for (title, brand), price, stock in zip(titles.items(), prices, left, strict=True)
        ]

    def _make_orders(self, writer: Writer) -> list[Order]:
        draw, made = writer.random, list[Order]()
        products = list(self.products.values())
        places = self.addresses if self.named else self.addresses[:5]
        for number in range(self.dims.orders):
            product = draw.choice(products)
            made.append(
                Order(
                    id=f"{draw.randrange(10**9, 10**10)}",
                    date=day(writer, number),
                    product=product,
                    choice=self.choice(product, *self.pick(draw.random(), product)),
                    count=draw.choice((1, 1, 1, 2, 3)),
                    shipping=draw.choice((0, 490, 1290)),
                    status=draw.choice(STATUSES),
                    to=draw.choice(places),
                )
            )
        return made

    @staticmethod
    def pick(where: float, product: Product) -> tuple[str, str]:
        """A colour and a size, for a number between 0 and 1."""
        pairs = [(colour, size) for colour in product.colours for size in product.sizes]
        return pairs[int(where * len(pairs))]

    @staticmethod
    def choice(product: Product, colour: str, size: str) -> str:
        return f"{colour}, {size}"

    def reviews(self, product: Product) -> list[Review]:
        """Made from the product's id alone. Each fault is told by one reviewer only as often as there are faults."""
        writer = Writer(f"{self.key}/{product.id}")
        draw, made = writer.random, list[Review]()
        authors = dict.fromkeys(writer.person() for _ in range(self.dims.reviews * 2))
        for number, author in enumerate(list(authors)[: self.dims.reviews]):
            stars = draw.choice((1, 2, 3, 4, 4, 5, 5, 5))
            kinds = ["praise" if draw.random() < stars / 5 else "blame" for _ in range(draw.randint(3, 8))]
            text = tuple(product_line(writer, kind, product.category, product.brand) for kind in kinds)
            colour, size = self.pick(draw.random(), product)
            bought = f"Colour: {colour}, {product.option}: {size}"
            if not self.named:
                bought = f"Purchased: {product.title}, {bought}"
            review = Review(f"{product.id}-r{number}", author, stars, text[-1], text[:-1], day(writer, number), bought)
            made.append(review)
        return made

    @property
    def older(self) -> list[Order]:
        """The oldest orders, which the history loads when one scrolls down to them."""
        return self.orders[-(len(self.orders) // 4) :]

    @property
    def recent(self) -> list[Order]:
        return self.orders[: -len(self.older)]

    @property
    def latest(self) -> list[Order]:
        """What the account's front shows of the orders."""
        return self.orders[: self.dims.related] if self.named else self.recent

    @cached_property
    def featured(self) -> Product:
        """The product that checkout tasks are about: in stock, in the first category."""
        return next(p for p in self.products.values() if p.stock > 3)

    def listed(self, category: str, filters: dict[str, str], sort: str) -> list[Product]:
        """Products of a category that pass the filters (brand, colour, under, stars), in order."""
        keys: dict[str, Callable[[Product], tuple[float, str]]] = {
            "featured": lambda p: (0, p.id),
            "price": lambda p: (p.price, p.id),
            "dear": lambda p: (-p.price, p.id),
            "stars": lambda p: (-p.stars, p.id),
        }
        found = [p for p in self.products.values() if p.category == category]
        if filters.get("brand"):
            found = [p for p in found if p.brand == filters["brand"]]
        if filters.get("colour"):
            found = [p for p in found if filters["colour"] in p.colours]
        if filters.get("under"):
            found = [p for p in found if p.price <= int(filters["under"]) * 100]
        if filters.get("stars"):
            found = [p for p in found if p.stars >= int(filters["stars"])]
        return sorted(found, key=keys[sort])

    @staticmethod
    def nouns(category: str) -> list[str]:
        return list(word_list("products")["categories"][category]["nouns"])

    def cart(self) -> list[tuple[Product, str, int]]:
        lines = [(self.products[fact[1]], fact[2], int(fact[3])) for fact in self.facts if fact[0] == "cart"]
        return sorted(lines, key=lambda line: (line[0].title, line[1]))

    def set_count(self, product: Product, choice: str, count: int) -> None:
        """Put that many into the cart; 0 takes the line out."""
        self.facts -= {fact for fact in self.facts if fact[:3] == ("cart", product.id, choice)}
        if count:
            self.facts.add(("cart", product.id, choice, str(count)))

    def stock(self, product: Product) -> str:
        """What the page says about how many are left."""
        left = min(product.stock, 2) if product.id in self.scarce else product.stock
        return "In stock" if left > 3 else f"Only {left} left" if left else "Out of stock"

    def happening(self, path: str) -> Happening | None:
        """While one looks at a product, others buy it."""
        product = self.products.get(path.removeprefix("/p/").partition("/")[0])
        if product is None or product.id in self.scarce or product.stock <= 3:
            return None
        self.scarce.add(product.id)
        return Happening("[data-live=stock]", self.stock(product), f"{self.stock(product)}: others are buying", True)
