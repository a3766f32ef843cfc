"""What a shop deals in: products, reviews of them, orders."""

from __future__ import annotations

from dataclasses import dataclass

from focusagent.longpage.content import word_list


@dataclass(frozen=True)
class Product:
    id: str
    category: str
    brand: str
    title: str
    price: int
    stars: float
    colours: tuple[str, ...]
    sizes: tuple[str, ...]
    stock: int
    weight: int

    @property
    def option(self) -> str:
        return str(word_list("products")["categories"][self.category]["option"])


@dataclass(frozen=True)
class Review:
    id: str
    author: str
    stars: int
    title: str
    text: tuple[str, ...]
    date: str
    bought: str


@dataclass(frozen=True)
class Order:
    id: str
    date: str
    product: Product
    choice: str
    count: int
    shipping: int
    status: str
    to: str

    @property
    def total(self) -> int:
        return self.product.price * self.count + self.shipping


def money(cents: int) -> str:
    return f"€{cents / 100:,.2f}"
