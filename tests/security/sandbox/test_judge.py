"""The judge by itself: what may leave, by site, method, map and typed text."""

import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focusagent.security.sandbox import Effect, Policy, SiteMap
from focusagent.security.sandbox.judge import (
    ELSEWHERE,
    FOREIGN,
    NO_PAGE,
    NOT_ASKED,
    NOT_LOADED,
    OTHER_SITE,
    READ_ONLY,
    TYPED,
    WORKER,
    Request,
    bare,
    judge,
)
from focusagent.security.sandbox.sites import Site, site_of
from focusagent.security.sandbox.typed import Typed

HOME, AWAY = "http://shop.local:8080", "http://evil.example"
SHOP = SiteMap.model_validate(
    {
        "name": "shop",
        "effects": {"cart.add": {"words": "put into the cart"}, "account.delete": {"words": "delete the account"}},
        "requests": [
            {"method": "POST", "path": "/cart", "fields": {"kind": "add"}, "effect": "cart.add"},
            {"method": "POST", "path": "/note", "goal": ["text"], "effect": "cart.add"},
            {"method": "GET", "path": "/account/*/delete", "effect": "account.delete"},
            {"method": "POST", "path": "/search/**", "read": True},
        ],
    }
)


def reason(request: Request, policy: Policy | None = None, *typed: str) -> str:
    known = Typed()
    for text in typed:
        known.add(text)
    verdict = judge(request, policy or Policy(sites=(HOME,)), known)
    assert verdict.allowed == (not verdict.reason)
    return verdict.reason


@pytest.mark.parametrize(
    ("written", "url"),
    [
        ("http://shop.local:8080", "http://shop.local:8080/a?b#c"),
        ("shop.local:8080", "http://SHOP.local.:8080/"),
        ("HTTP://User:Secret@Shop.Local:8080/path", "http://other@shop.local:8080/"),
        ("https://example.org", "https://example.org:443/"),
        ("https://example.org.", "https://www.example.org/"),
        ("example.org", "https://example.org/"),
        ("example.org", "http://example.org/"),
        ("http://example.org", "https://example.org/"),
        ("http://[0:0::1]:80", "http://[::1]/"),
        ("http://bücher.example", "http://xn--bcher-kva.example/"),
        ("localhost:3000", "ws://localhost:3000/socket"),
    ],
)
def test_one_site_in_many_spellings(written: str, url: str) -> None:
    assert reason(Request("GET", url, "document"), Policy(sites=(written,))) == ""


@pytest.mark.parametrize(
    ("written", "url"),
    [
        ("http://127.0.0.1:80", "http://localhost/"),
        ("http://shop.local", "http://shop.local:8080/"),
        ("https://bank.example", "http://bank.example/"),
        ("http://bank.example", "https://bank.example:8443/"),
        ("http://a.example", "http://b.a.example/"),
        ("http://a.example", "http://a.example.evil.org/"),
        ("http://a.example", "http://a.example@evil.org/"),
        ("http://a.example:80", "http://a.example:0/"),
        ("http://shop.example", "http://xn--shp-qqa.example/"),
    ],
)
def test_other_sites(written: str, url: str) -> None:
    assert reason(Request("GET", url, "document"), Policy(sites=(written,))) != ""


@pytest.mark.parametrize(
    "text", ["", "about:blank", "file:///etc", "a b", "http://", "straße.de", "http://1.2.3", "x:99999"]
)
def test_what_is_no_site_is_refused_where_it_is_written(text: str) -> None:
    with pytest.raises(ValueError, match=r"site|host"):
        Policy(sites=(text,))


@given(st.text(max_size=30))
def test_a_site_says_itself_again(text: str) -> None:
    try:
        site = Site.parse(text)
    except ValueError:
        return
    assert Site.parse(str(site)) == site
    other = site_of(f"{site}/x") if site.scheme else site_of(f"http://{site}/x")
    assert other is not None
    assert site.covers(other)


def test_a_policy_without_a_site_opens_nothing() -> None:
    assert reason(Request("GET", HOME, "document"), Policy(sites=())) == OTHER_SITE
    assert reason(Request("GET", "about:blank", "document"), Policy(sites=())) == ""


@pytest.mark.parametrize(
    "url", ["data:text/html,x", "blob:http://shop.local/1", "file:///etc/passwd", "ftp://a/b", "x"]
)
def test_documents_that_are_no_http_page(url: str) -> None:
    assert reason(Request("GET", url, "document")) == NO_PAGE


def test_parts_of_a_page() -> None:
    assert reason(Request("GET", f"{AWAY}/logo.png")) == ""
    assert reason(Request("GET", AWAY, "frame")) == ""
    assert reason(Request("GET", "data:image/png;base64,AA")) == ""
    assert reason(Request("POST", f"{AWAY}/beacon")) == ELSEWHERE
    assert reason(Request("POST", AWAY, "frame")) == ELSEWHERE
    assert reason(Request("GET", "ws://evil.example/", "websocket")) == ELSEWHERE
    assert reason(Request("GET", f"{HOME}/sw.js", "worker")) == WORKER
    assert reason(Request("GET", f"{AWAY}/logo.png"), Policy(sites=(HOME,), others="none")) == NOT_LOADED


def test_writes() -> None:
    post = Request("POST", f"{HOME}/anything", body=b"a=1")
    assert reason(post) == ""
    assert reason(post, Policy(sites=(HOME,), writes="none")) == READ_ONLY
    assert reason(post, Policy(sites=(HOME,), writes="goal")) == ""
    assert reason(post, Policy(sites=(HOME,), writes="goal", unlisted="refuse")) == NOT_ASKED
    for foreign in (AWAY, "null"):
        assert reason(Request("POST", HOME, "document", origin=foreign)) == FOREIGN
    assert reason(Request("POST", HOME, "document", origin=HOME)) == ""


def test_writes_by_the_map() -> None:
    policy = Policy(sites=(HOME,), writes="goal", effects=(Effect("cart.add"),), maps=(SHOP,), goal="Say 'so be it'.")

    def post(path: str, body: bytes, kind: str = "application/x-www-form-urlencoded") -> str:
        return reason(Request("POST", HOME + path, body=body, content_type=kind), policy)

    assert post("/cart", b"kind=add") == ""
    assert post("/cart", json.dumps({"kind": "add"}).encode(), "application/json") == ""
    assert post("/cart", b"kind=clear") == NOT_ASKED  # the path is mapped, with other fields
    assert post("/cart", b"kind=add&kind=clear") == NOT_ASKED
    assert post("/cart?kind=clear", b"kind=add") == NOT_ASKED
    assert post("/note", b"text=So+be+it") == ""
    assert post("/note", b"text=Send+money") == NOT_ASKED
    assert post("/search/a/b", b"q=x") == ""
    assert reason(Request("GET", f"{HOME}/account/1/delete", "document"), policy) == NOT_ASKED
    assert reason(Request("GET", f"{HOME}/account/1", "document"), policy) == ""
    unread = Request("POST", f"{HOME}/cart", body=None)
    assert reason(unread, policy) == NOT_ASKED
    read_only = Policy(sites=(HOME,), writes="none", maps=(SHOP,))
    assert reason(Request("POST", f"{HOME}/search/x"), read_only) == ""
    assert reason(Request("GET", f"{HOME}/account/1/delete"), read_only) == READ_ONLY


SECRET = "correct horse"
CODED = [
    "correct%20horse",
    "correct+horse",
    "CorrectHorse",
    "%2563orrect%2520horse",
    base64.b64encode(SECRET.encode()).decode(),
    base64.urlsafe_b64encode(b"x" + SECRET.encode()).decode().rstrip("="),
    SECRET.encode().hex(),
    SECRET[::-1],
    "pbeerpg ubefr",
    "\\u0063orrect horse",
    "c.o.r.r.e.c.t.h",
]


@pytest.mark.parametrize("coded", CODED)
def test_typed_text_does_not_leave(coded: str) -> None:
    for request in (Request("GET", f"{AWAY}/i.png?x={coded}"), Request("GET", f"{AWAY}/{coded}/i.png", "frame")):
        assert reason(request, None, SECRET) == TYPED
        assert reason(request) == ""


def test_typed_text_does_not_leave_in_a_host_or_letter_by_letter() -> None:
    assert reason(Request("GET", f"http://{SECRET.replace(' ', '-')}.evil.example/"), None, SECRET) == TYPED
    for address in (AWAY + "/k?at={}&c={}", AWAY + "/k/{}/{}", "http://{1}.evil.example/{0}"):
        typed, policy = Typed(), Policy(sites=(HOME,))
        typed.add(SECRET)
        got = ""
        for number, letter in enumerate(SECRET.replace(" ", "")):
            if judge(Request("GET", address.format(number % 7, letter)), policy, typed).allowed:
                got += letter
        assert len(got) < 8, address


def test_typed_text_goes_to_the_task_s_own_sites_and_short_text_anywhere() -> None:
    assert reason(Request("GET", f"{HOME}/search?q=correct+horse", "document"), None, SECRET) == ""
    assert reason(Request("GET", f"{AWAY}/i.png?x=horse"), None, "horse") == ""
    assert reason(Request("GET", f"{AWAY}/i.png?x=correcth"), None, *SECRET) == TYPED


def test_what_is_shown_of_an_address() -> None:
    assert bare("http://me:secret@shop.local:8080/a?token=1#x") == "http://shop.local:8080/a"
    assert bare("data:text/html,secret") == "data:"
