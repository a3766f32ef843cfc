"""Fixtures for all tests: a local model server, and an environment without anyone's keys or waits."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import settings

import focusagent  # noqa: F401  (settles the environment before any test imports AgentLab)

settings.register_profile("no wall times", deadline=None)
settings.load_profile("no wall times")

_PROVIDER_VARIABLES = (
    "OPENAI_API_KEY OPENAI_BASE_URL ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN ANTHROPIC_BASE_URL OPENROUTER_API_KEY"
    " OPENROUTER_API_BASE AZURE_OPENAI_API_KEY AZURE_OPENAI_ENDPOINT VLLM_API_KEY VLLM_API_URL"
).split()


def _load(path: Path) -> ModuleType:
    name = f"focusagent_tests_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def _llm_server() -> Iterator[Any]:
    module = _load(Path(__file__).parent / "servers" / "llm_server.py")
    with module.LLMServer() as server:
        yield server


@pytest.fixture
def llm_server(_llm_server: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A fresh state of the local server (tests/servers/llm_server.py), to which the environment points OpenAI's and
    Anthropic's clients; no retry waits."""
    _llm_server.reset()
    for name in _PROVIDER_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", "test")
    monkeypatch.setenv("OPENAI_BASE_URL", _llm_server.url)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "test")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", _llm_server.root)
    monkeypatch.setenv("FOCUSAGENT_RETRY_WAIT", "0")
    return _llm_server


@pytest.fixture
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment without any provider's key or address."""
    for name in _PROVIDER_VARIABLES:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="session")
def observation() -> Any:
    """A function from AxTree text (and other fields) to an observation as an agent's `get_action` gets it."""
    return _load(Path(__file__).parent / "agents" / "says.py").observation


@pytest.fixture(scope="session")
def playwright() -> Any:
    """BrowserGym's own Playwright: a thread can hold one only, and tests with environments have started it."""
    from browsergym.core import _get_global_playwright

    return _get_global_playwright()


@pytest.fixture
def nasty() -> str:
    """What a hostile page may write: markup that ends attributes, elements and scripts, mathematics, a surrogate."""
    return (
        '<img src=x onerror="window.harmed=1">\'"><svg onload=window.harmed=1></title></style></pre>'
        "</textarea><script>window.harmed=1</script><!-- {{ 7*7 }} $\\frac{$ | `x` javascript:window.harmed=1 \ud800"
    )


@dataclass(frozen=True)
class Seen:
    """What a browser made of a page: its text, and each sign that something in it was more than text."""

    text: str
    harm: list[str]


@pytest.fixture(scope="session")
def browser(playwright: Any) -> Iterator[Any]:
    """One Chromium for all tests of a worker; each opens pages or contexts of its own and closes them."""
    chromium = playwright.chromium.launch()
    yield chromium
    chromium.close()


@pytest.fixture
def look_at(browser: Any) -> Callable[[Path], Seen]:
    """Opens an HTML file, with all its parts unfolded, and looks for scripts, elements and requests of others."""

    def look(path: Path) -> Seen:
        harm: list[str] = []
        page = browser.new_page()
        page.on("console", lambda message: harm.append(f"console: {message.text}") if message.type == "error" else None)
        page.on("pageerror", lambda error: harm.append(f"error: {error}"))
        page.on("request", lambda request: harm.append(request.url) if not _own(request.url, path) else None)
        page.goto(path.as_uri())
        page.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true; })")
        for header in page.locator("th").all()[:5]:
            header.click()
        page.wait_for_timeout(300)
        harm += page.evaluate(_FOREIGN)
        seen = Seen(page.inner_text("body"), harm)
        page.close()
        return seen

    return look


def _own(url: str, path: Path) -> bool:
    return url.partition("#")[0] == path.as_uri() or url.startswith("data:")


_FOREIGN = """() => {
  const found = window.harmed === undefined ? [] : ["a script ran"];
  const strange = "script ~ script, iframe, object, embed, base, form, link, meta[http-equiv], body :is(svg, style)";
  for (const one of document.querySelectorAll(strange)) found.push("element: " + one.outerHTML.slice(0, 80));
  for (const one of document.querySelectorAll("img")) {
    if (!one.src.startsWith("data:")) found.push("image: " + one.src);
  }
  for (const one of document.querySelectorAll("*")) {
    for (const own of one.attributes) if (own.name.startsWith("on")) found.push("handler: " + own.name);
    if (one.href && !one.getAttribute("href").startsWith("#")) found.push("link: " + one.href);
  }
  return found;
}"""
