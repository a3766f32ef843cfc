"""What an action of BrowserGym's high-level set did: its name, the elements it acted on, the text it meant."""

from __future__ import annotations

import ast
from dataclasses import dataclass

TYPING = frozenset({"fill", "clear", "press", "keyboard_type", "keyboard_insert_text"})
CHOOSING = frozenset({"select_option", "check", "uncheck", "click", "dblclick", "press"})
CAUSING_NOTHING = frozenset({"noop", "send_msg_to_user", "report_infeasible", "show_lines", "find_on_page"})
WITH_DUE_EFFECT = frozenset({"click", "dblclick", "fill", "clear", "select_option", "check", "uncheck"})
FIELDS = frozenset({"textbox", "searchbox", "combobox", "spinbutton"})
_TWO_BIDS = frozenset({"drag_and_drop"})
_NO_BID = frozenset(
    "goto go_back go_forward new_tab tab_close tab_focus scroll mouse_move mouse_up mouse_down mouse_click"
    " mouse_dblclick mouse_drag_and_drop keyboard_press keyboard_up keyboard_down keyboard_type keyboard_insert_text"
    " mouse_upload_file".split()
)


@dataclass(frozen=True)
class Act:
    """One call. `bids` are the elements acted on; `values` the other arguments as text, in order."""

    name: str
    bids: tuple[str, ...] = ()
    values: tuple[str, ...] = ()


def acts_of(action: str) -> tuple[Act, ...]:
    """The calls in an action's text, in order; empty for text that is no such code. Nothing is run."""
    try:
        module = ast.parse(action.strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    calls = [statement.value for statement in module.body if isinstance(statement, ast.Expr)]
    return tuple(
        _act(call.func.id, call) for call in calls if isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
    )


def _act(name: str, call: ast.Call) -> Act:
    arguments = [text for node in call.args for text in _texts(node)]
    named = {word.arg: list(_texts(word.value)) for word in call.keywords if word.arg}
    for key in ("from_bid", "to_bid", "bid"):
        arguments = named.pop(key, []) + arguments if key != "to_bid" else arguments + named.pop(key, [])
    arguments += [text for texts in named.values() for text in texts]
    count = 0 if name in _NO_BID | CAUSING_NOTHING else 2 if name in _TWO_BIDS else 1
    return Act(name, tuple(arguments[:count]), tuple(arguments[count:]))


def _texts(node: ast.expr) -> list[str]:
    if isinstance(node, ast.Constant):
        return [str(node.value)]
    if isinstance(node, ast.List | ast.Tuple):
        return [text for element in node.elts for text in _texts(element)]
    return []
