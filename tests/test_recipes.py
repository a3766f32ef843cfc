"""The recipes of docs/recipes.md, with the real package where it is installed."""

import importlib
import re
from pathlib import Path

import pytest

RECIPES = Path(__file__).parent.parent / "docs" / "recipes.md"
CODE = dict(re.findall(r"## ([^\n]+)\n.*?```python\n(.*?)```", RECIPES.read_text(encoding="utf-8"), re.DOTALL))


def test_every_recipe_is_python() -> None:
    assert set(CODE) == {"browser-use", "LangChain and its like"}
    for code in CODE.values():
        compile(code, "recipe", "exec")


def test_browser_use_focuses_its_own_tree() -> None:
    """Needs `pip install browser-use`."""
    pytest.importorskip("browser_use")
    views = importlib.import_module("browser_use.dom.views")
    assert callable(views.SerializedDOMState.llm_representation)


def test_a_langchain_tool_answers_with_what_matters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Needs `pip install langchain-core`."""
    pytest.importorskip("langchain_core")

    class Page:
        def goto(self, url: str) -> None: ...

        def locator(self, selector: str) -> "Page":
            return self

        def aria_snapshot(self) -> str:
            links = "\n".join(f'- link "Item {number}":\n  - /url: /item/{number}' for number in range(200))
            return f'{links}\n- button "Pay now"'

    scope: dict[str, object] = {"page": Page(), "__name__": "recipe"}
    exec(CODE["LangChain and its like"], scope)
    answer = scope["read_page"].invoke({"url": "http://x", "looking_for": "Pay now"})  # type: ignore[attr-defined]
    assert '- button "Pay now"' in answer
    assert "pruned" in answer
