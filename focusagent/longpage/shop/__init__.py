"""The shop: catalogue with facets, products with options and reviews, cart, checkout in three steps, orders."""

from focusagent.longpage.shop.app import Shop

SITE = Shop()
__all__ = ["SITE", "Shop"]
