"""Which elements an action names."""

from __future__ import annotations

import ast

_BIDS = {
    "click": 1,
    "dblclick": 1,
    "hover": 1,
    "fill": 1,
    "press": 1,
    "focus": 1,
    "clear": 1,
    "select_option": 1,
    "check": 1,
    "uncheck": 1,
    "upload_file": 1,
    "drag_and_drop": 2,
}


def bids_of(action: str | None) -> tuple[str, ...]:
    """The bids that BrowserGym's high-level action acts on, in order; none for text that is no such action."""
    try:
        tree = ast.parse((action or "").strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    return tuple(bid for call in calls for bid in _bids(call))


def _bids(call: ast.Call) -> list[str]:
    count = _BIDS.get(call.func.id, 0) if isinstance(call.func, ast.Name) else 0
    values = [*call.args[:count], *(word.value for word in call.keywords if word.arg in ("bid", "from_bid", "to_bid"))]
    return [str(value.value) for value in values[:count] if isinstance(value, ast.Constant)]
