"""Fills the shop through its own models: `python seed.py SEED`."""

import sys
from decimal import Decimal

import django

django.setup()

from django.contrib.auth.models import User  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import transaction  # noqa: E402
from django.utils.text import slugify  # noqa: E402
from django_site import days_ago, keep_logged_in  # noqa: E402
from oscar.apps.address.models import Country, UserAddress  # noqa: E402
from oscar.apps.basket.models import Basket  # noqa: E402
from oscar.apps.catalogue.categories import create_from_breadcrumbs  # noqa: E402
from oscar.apps.catalogue.models import Category, Product, ProductCategory, ProductClass  # noqa: E402
from oscar.apps.catalogue.reviews.models import ProductReview  # noqa: E402
from oscar.apps.order.models import Line, Order, ShippingAddress  # noqa: E402
from oscar.apps.partner.models import Partner, StockRecord  # noqa: E402
from oscar.apps.voucher.models import Voucher  # noqa: E402
from words import GOODS, QUALITIES, TOWNS, Words  # noqa: E402

words = Words(f"oscar {sys.argv[1]}")
draw = words.random


def make_users() -> list[User]:
    User.objects.create_superuser("admin", "admin@example.com", "admin")
    visitor = User.objects.create_user("visitor", "visitor@example.com", "visitor", first_name="Vera", last_name="Hill")
    made = []
    for number, (first, last) in enumerate(words.people(60)):
        email = f"{first}.{last}@example.com".lower()
        made.append(User(username=f"u{number}", email=email, first_name=first, last_name=last, password="!"))
        made[-1].date_joined = days_ago(draw.randrange(90, 900))
    User.objects.bulk_create(made)
    return [visitor, *User.objects.filter(username__startswith="u").order_by("pk")]


def make_addresses(visitor: User) -> Country:
    british = Country.objects.create(
        iso_3166_1_a2="GB", iso_3166_1_a3="GBR", iso_3166_1_numeric="826", printable_name="United Kingdom",
        name="United Kingdom", is_shipping_country=True,
    )  # fmt: skip
    for town in draw.sample(TOWNS[:8], 6):
        UserAddress.objects.create(
            user=visitor, first_name="Vera", last_name="Hill", line1=words.address(), line4=town,
            postcode=f"LS{draw.randint(1, 9)} {draw.randint(1, 9)}AB", country=british,
        )  # fmt: skip
    return british


def shelf_of(category: Category) -> Category:
    return Category.objects.get(path=category.path[: -Category.steplen])


def make_products() -> list[Product]:
    general = ProductClass.objects.create(name="General", requires_shipping=True, track_stock=True)
    partners = [Partner.objects.create(name=name) for name in ("Northwind Supplies", "Atelier Braga", "Granite & Co")]
    products: list[Product] = []
    places, stocks = [], []
    for shelf, things in GOODS.items():
        for thing in things:
            category = create_from_breadcrumbs(f"{shelf} > {thing.replace('-', ' ').capitalize()}")
            for quality in draw.sample(QUALITIES, 5):
                title = f"{quality} {thing.replace('-', ' ')}".capitalize()
                product = Product(
                    product_class=general, title=title, slug=slugify(title), upc=f"HH-{1001 + len(products)}",
                    description=words.description(), is_public=True, date_created=days_ago(200),
                )  # fmt: skip
                products.append(product)
                places += [(product, category), (product, shelf_of(category))]
                stocks.append(
                    StockRecord(
                        product=product,
                        partner=draw.choice(partners),
                        partner_sku=f"SKU{len(products):04}",
                        price_currency="GBP",
                        price=Decimal(draw.randrange(300, 12000)) / 100,
                        num_in_stock=draw.choice((0, 2, 5, 12, 40, 80)),
                        low_stock_threshold=4,
                    )
                )
    Product.objects.bulk_create(products)
    ProductCategory.objects.bulk_create(ProductCategory(product=one, category=place) for one, place in places)
    StockRecord.objects.bulk_create(stocks)
    return products


def make_reviews(products: list[Product], users: list[User]) -> None:
    made = []
    for number, product in enumerate(products):
        count = 50 if number % 23 == 0 else draw.choice((0, 0, 1, 2, 6))
        for user in draw.sample(users[1:], count):
            made.append(
                ProductReview(
                    product=product,
                    user=user,
                    score=draw.randrange(1, 6),
                    title=words.opinion(),
                    body=words.description(draw.choice((1, 2, 3))),
                    status=draw.choice((1, 1, 1, 1, 0)),
                )
            )
    ProductReview.objects.bulk_create(made)
    for review in made:
        review.date_created = days_ago(draw.randrange(1, 180), draw.randrange(600))
    ProductReview.objects.bulk_update(made, ["date_created"])


def make_orders(products: list[Product], users: list[User], country: Country) -> None:
    stocked = list(StockRecord.objects.select_related("product", "partner").order_by("pk"))
    orders, lines = [], []
    for number in range(170):
        user = users[0] if number % 12 == 0 else draw.choice(users[1:])
        chosen = [(stock, draw.choice((1, 1, 1, 2, 3))) for stock in draw.sample(stocked, draw.choice((1, 1, 2, 3)))]
        total = sum(stock.price * count for stock, count in chosen)
        status = draw.choice(("Pending", "Pending", "Being processed", "Complete", "Complete", "Cancelled"))
        address = ShippingAddress.objects.create(
            first_name=user.first_name, last_name=user.last_name, line1=words.address(), line4=draw.choice(TOWNS[:8]),
            postcode="LS1 4AB", country=country,
        )  # fmt: skip
        order = Order(
            number=str(100200 + number), user=user, shipping_address=address, currency="GBP", total_incl_tax=total,
            total_excl_tax=total, shipping_method="Free shipping", shipping_code="free-shipping", status=status,
            date_placed=days_ago(170 - number, draw.randrange(600)),
        )  # fmt: skip
        orders.append(order)
        lines += [(order, stock, count) for stock, count in chosen]
    Order.objects.bulk_create(orders)
    Line.objects.bulk_create(order_line(*line) for line in lines)


def order_line(order: Order, stock: StockRecord, count: int) -> Line:
    price = stock.price * count
    return Line(
        order=order, product=stock.product, title=stock.product.title, upc=stock.product.upc, stockrecord=stock,
        partner=stock.partner, partner_name=stock.partner.name, partner_sku=stock.partner_sku, quantity=count,
        line_price_incl_tax=price, line_price_excl_tax=price, line_price_before_discounts_incl_tax=price,
        line_price_before_discounts_excl_tax=price, unit_price_incl_tax=stock.price, unit_price_excl_tax=stock.price,
        status=order.status, num_allocated=0,
    )  # fmt: skip


def make_vouchers() -> None:
    for number in range(18):
        code = f"{draw.choice(QUALITIES).upper()[:6]}{number:02}"
        Voucher.objects.create(
            name=f"{draw.choice(('Spring', 'Summer', 'Loyalty', 'Welcome', 'Club'))} offer {number}", code=code,
            usage=draw.choice(("Single use", "Multi-use", "Once per customer")),
            start_datetime=days_ago(draw.randrange(20, 90)), end_datetime=days_ago(-draw.randrange(200, 900)),
        )  # fmt: skip


with transaction.atomic():
    everyone = make_users()
    goods = make_products()
    make_reviews(goods, everyone)
    make_orders(goods, everyone, make_addresses(everyone[0]))
    make_vouchers()
    for user in User.objects.filter(username__in=("admin", "visitor")):
        Basket.objects.create(owner=user)  # looking at a page would
    for product in goods:
        Product.objects.filter(pk=product.pk).update(rating=product.calculate_rating())
    keep_logged_in(admin=User.objects.get(username="admin"), visitor=everyone[0])
call_command("rebuild_index", interactive=False, verbosity=0)
