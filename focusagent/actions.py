"""Actions read as BrowserGym reads them: its parser looks for calls anywhere and skips what lies between."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

MAX_ACTION, MAX_PARENTHESES, MAX_CALLS = 20_000, 40, 25
_CALL = re.compile(r"([^\W\d]\w*)(?:\s|#[^\n]*\n)*\(")
_ATOM = r"""(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|[+-]?\d+(?:\.\d+)?|True|False|None)"""
_LIST = rf"\[[ \t]*(?:{_ATOM}[ \t]*(?:,[ \t]*|(?=\])))*\]"
_PLAIN = re.compile(
    rf"[^\W\d]\w*[ \t]*\([ \t]*(?:(?:[a-z_]+[ \t]*=[ \t]*)?(?:{_ATOM}|{_LIST})[ \t]*(?:,[ \t]*|(?=\))))*\)"
)


@dataclass(frozen=True)
class Call:
    """One call. `readable` is False where no literal arguments could be made of what follows its parenthesis."""

    name: str
    positional: tuple[object, ...] = ()
    named: dict[str, object] = field(default_factory=dict)
    readable: bool = True

    def argument(self, position: int, name: str) -> str:
        """The argument as text, "" where it is missing or neither string nor number."""
        value = self.named.get(name, self.positional[position] if len(self.positional) > position else "")
        return str(value) if isinstance(value, str | int) else ""


def calls(action: str) -> Iterator[Call]:
    """Every call that BrowserGym might run, in order. Never raises. What stands in a call's own arguments is no call
    if they are plain literals on one line: of other literals that Python reads, BrowserGym runs the calls inside.

    Bounded: what lies beyond the bounds is one unreadable `goto`, which a gate refuses."""
    position = 0
    for _ in range(MAX_CALLS):
        match = _CALL.search(action, position)
        if match is None:
            return
        call, position = _read(action, match) if match.start() < MAX_ACTION else (_BEYOND, len(action))
        yield call
    yield _BEYOND


def _read(action: str, match: re.Match[str]) -> tuple[Call, int]:
    """The call at `match` and where to look on. Tries each closing parenthesis until one completes the call."""
    end = match.end()
    for _ in range(MAX_PARENTHESES):
        end = action.find(")", end, MAX_ACTION) + 1
        if not end:
            break
        if call := _parse(match[1], action[match.end() : end]):
            return call, end if _PLAIN.fullmatch(action, match.start(), end) else match.end()
    return Call(match[1], readable=False), match.end()


def _parse(name: str, rest: str) -> Call | None:
    try:
        node = ast.parse(f"f({rest}", mode="eval").body
        if not isinstance(node, ast.Call):
            return None
        named = {keyword.arg or "": ast.literal_eval(keyword.value) for keyword in node.keywords}
        return Call(name, tuple(map(ast.literal_eval, node.args)), named)
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        return None


_BEYOND = Call("goto", readable=False)
