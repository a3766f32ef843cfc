"""The shop's project: oscar's own defaults and what an installation must say."""

from django_site import CONTEXT_PROCESSORS, DATA, MIDDLEWARE, SECRET, database, templates  # noqa: F401
from oscar.defaults import *  # noqa: F403

SECRET_KEY = SECRET
ALLOWED_HOSTS = ["127.0.0.1"]
SITE_ID = 1
ROOT_URLCONF = "urls"
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en-gb"
LANGUAGES = (("en-gb", "English"), ("de", "Deutsch"), ("es", "español"))
DATABASES = database(atomic=True)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
_CONTRIB = "admin auth contenttypes sessions messages staticfiles sites flatpages".split()
_OSCAR = (
    "analytics checkout address shipping catalogue communication partner basket payment offer order customer search "
    "voucher wishlists dashboard"
).split()
_DASHBOARD = (
    "reports users orders catalogue offers partners pages ranges reviews vouchers communications shipping"
).split()
INSTALLED_APPS = [
    *(f"django.contrib.{name}" for name in _CONTRIB),
    "oscar.config.Shop",
    *(f"oscar.apps.{name}.apps.{name.capitalize()}Config" for name in _OSCAR if name != "wishlists"),
    "oscar.apps.wishlists.apps.WishlistsConfig",
    "oscar.apps.catalogue.reviews.apps.CatalogueReviewsConfig",
    *(f"oscar.apps.dashboard.{name}.apps.{name.capitalize()}DashboardConfig" for name in _DASHBOARD),
    "widget_tweaks",
    "haystack",
    "treebeard",
    "sorl.thumbnail",
    "django_tables2",
]
MIDDLEWARE = [
    *MIDDLEWARE,
    "oscar.apps.basket.middleware.BasketMiddleware",
    "django.contrib.flatpages.middleware.FlatpageFallbackMiddleware",
]
TEMPLATES = templates(
    "django.template.context_processors.i18n",
    "oscar.apps.search.context_processors.search_form",
    "oscar.apps.checkout.context_processors.checkout",
    "oscar.apps.communication.notifications.context_processors.notifications",
    "oscar.core.context_processors.metadata",
)
AUTHENTICATION_BACKENDS = (
    "oscar.apps.customer.auth_backends.EmailBackend",
    "django.contrib.auth.backends.ModelBackend",
)
HAYSTACK_CONNECTIONS = {"default": {"ENGINE": "haystack.backends.whoosh_backend.WhooshEngine", "PATH": DATA / "index"}}
EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
STATIC_URL, MEDIA_URL = "/static/", "/media/"
STATIC_ROOT, MEDIA_ROOT = DATA / "static", DATA / "media"
OSCAR_SHOP_NAME = "Harbour & Hill"
OSCAR_INITIAL_ORDER_STATUS = OSCAR_INITIAL_LINE_STATUS = "Pending"
OSCAR_ORDER_STATUS_PIPELINE = {
    "Pending": ("Being processed", "Cancelled"),
    "Being processed": ("Complete", "Cancelled"),
    "Complete": (),
    "Cancelled": (),
}
OSCAR_LINE_STATUS_PIPELINE = OSCAR_ORDER_STATUS_PIPELINE
OSCAR_PRODUCTS_PER_PAGE = 100
OSCAR_REVIEWS_PER_PAGE = 100
OSCAR_DASHBOARD_ITEMS_PER_PAGE = 120
OSCAR_ORDERS_PER_PAGE = 40
