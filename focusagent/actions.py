"""What an action names, read as BrowserGym reads it: its parser looks for calls anywhere and skips what lies between.

A call is a name, then arguments that are plain literals; comments are no code, and what stands in a text between calls
is read all the same. One pass, linear in the action's length; nothing is run, and nothing is raised."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

ELEMENT_ARGUMENTS: dict[str, tuple[str, ...]] = {
    "click": ("bid",),
    "dblclick": ("bid",),
    "hover": ("bid",),
    "fill": ("bid",),
    "press": ("bid",),
    "focus": ("bid",),
    "clear": ("bid",),
    "select_option": ("bid",),
    "check": ("bid",),
    "uncheck": ("bid",),
    "upload_file": ("bid",),
    "drag_and_drop": ("from_bid", "to_bid"),
}
"""Action of BrowserGym's sets -> its leading arguments that name elements. Of other actions only `bid=` is one."""

MAX_DEPTH = 20
_LETTER = "A-Z_a-zªµºÀ-ÖØ-öø-ÿ"
_NAME = re.compile(rf"[{_LETTER}][0-9·{_LETTER}]*+")
_GAP = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*+")
_LONG_STRING = re.compile(
    r'"""(?:[^"\\]|""(?!")|"(?!"")|\\.)*+"""' r"|'''(?:[^'\\]|''(?!')|'(?!'')|\\.)*+'''", re.DOTALL
)
_STRING = re.compile(
    r'"(?:[^"\n\r\\]|\\(?:[^x]|x[0-9a-fA-F]+))*+"' r"|'(?:[^'\n\r\\]|\\(?:[^x]|x[0-9a-fA-F]+))*+'", re.DOTALL
)
_NUMBER = re.compile(r"[+-]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][+-]?\d+)?")
_WORDS = {"True": True, "False": False, "None": None}
_KEY = re.compile(rf"([{_LETTER}][0-9·{_LETTER}]*+)(?:[ \t\r\n]|#[^\n]*)*+=")


@dataclass(frozen=True)
class Call:
    """One call of an action."""

    name: str
    positional: tuple[object, ...] = ()
    named: dict[str, object] = field(default_factory=dict)
    readable: bool = True  # False: a name and a parenthesis whose arguments are no literals, which BrowserGym skips
    text: str = ""  # the call as written

    def argument(self, position: int, name: str) -> str:
        """The argument as text, "" where it is missing or neither string nor number."""
        value = self.named.get(name, self.positional[position] if len(self.positional) > position else "")
        return str(value) if isinstance(value, str | int | float) else ""

    @property
    def bids(self) -> tuple[str, ...]:
        """The elements acted on, in order."""
        names = ELEMENT_ARGUMENTS.get(self.name, ())
        found = [self.argument(position, name) for position, name in enumerate(names)]
        if not names:
            found = [self.argument(len(self.positional), "bid")]
        return tuple(bid for bid in found if bid)

    @property
    def values(self) -> tuple[str, ...]:
        """The other arguments as texts, lists opened, in order: what is typed, chosen or said."""
        names = ELEMENT_ARGUMENTS.get(self.name, ("bid",) if "bid" in self.named else ())
        rest = [*self.positional[sum(name not in self.named for name in names) :]]
        rest += [value for name, value in self.named.items() if name not in names]
        return tuple(text for value in rest for text in _texts(value))


def calls(action: str | None) -> tuple[Call, ...]:
    """The calls that BrowserGym would run, in order; empty for text that holds none."""
    return tuple(call for call in attempts(action) if call.readable)


def bids_of(action: str | None) -> tuple[str, ...]:
    """Every element that an action's calls act on, in order."""
    return tuple(bid for call in calls(action) for bid in call.bids)


def attempts(action: str | None) -> Iterator[Call]:
    """Like `calls`, with what looks like a call and cannot be read among them: for who must be strict."""
    text = action or ""
    position = 0
    while (position := _gap(text, position)) < len(text):
        name = _NAME.match(text, position)
        if name is None:
            position += 1
            continue
        start, position = position, _gap(text, name.end())
        if text[position : position + 1] != "(":
            continue
        reader = _Arguments(text, position + 1)
        if reader.read():
            yield Call(name[0], tuple(reader.positional), reader.named, text=text[start : reader.position])
            position = reader.position
        else:
            yield Call(name[0], readable=False, text=text[start : position + 1])
            position += 1


def _gap(text: str, position: int) -> int:
    """Where white space and comments end."""
    match = _GAP.match(text, position)
    return match.end() if match else position


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, list | tuple):
        for one in value:
            yield from _texts(one)
    elif not isinstance(value, dict):
        yield str(value)


class _Unreadable(Exception):
    """No literal stands here."""


class _Arguments:
    """Reads literals after an opening parenthesis: positional ones, then named ones, then the closing parenthesis."""

    def __init__(self, text: str, position: int) -> None:
        self.text = text
        self.position = position
        self.positional: list[object] = []
        self.named: dict[str, object] = {}

    def read(self) -> bool:
        """Whether these are the arguments of a call; `position` is then behind its closing parenthesis."""
        try:
            while not self._skip(")"):
                if key := _KEY.match(self.text, self.position):
                    self.position = key.end()
                    self.named[key[1]] = self._literal(0)
                elif self.named:
                    return False
                else:
                    self.positional.append(self._literal(0))
                # BrowserGym's grammar asks for no comma between the last positional and the first named argument.
                if not self._skip(",") and (self.named or not _KEY.match(self.text, self.position)):
                    return self._skip(")")
        except _Unreadable:
            return False
        return True

    def _skip(self, mark: str) -> bool:
        """Pass over the mark if it comes next."""
        self.position = _gap(self.text, self.position)
        if not self.text.startswith(mark, self.position):
            return False
        self.position += len(mark)
        return True

    def _literal(self, depth: int) -> object:
        """The literal that comes next. Raises _Unreadable for anything else, and below MAX_DEPTH."""
        if depth > MAX_DEPTH:
            raise _Unreadable
        for opening, closing in ("[]", "()"):
            if self._skip(opening):
                items = self._items(closing, depth)
                return items if opening == "[" else tuple(items)
        if self._skip("{"):
            return self._entries(depth)
        for pattern in (_LONG_STRING, _STRING, _NUMBER):
            if match := pattern.match(self.text, self.position):
                self.position = match.end()
                return _value(match[0])
        word = _NAME.match(self.text, self.position)
        if word is None or word[0] not in _WORDS:
            raise _Unreadable
        self.position = word.end()
        return _WORDS[word[0]]

    def _items(self, closing: str, depth: int) -> list[object]:
        items: list[object] = []
        while not self._skip(closing):
            items.append(self._literal(depth + 1))
            if not self._skip(","):
                if not self._skip(closing):
                    raise _Unreadable
                break
        return items

    def _entries(self, depth: int) -> dict[str, object]:
        entries: dict[str, object] = {}
        while not self._skip("}"):
            key = self._literal(depth + 1)
            if not isinstance(key, str) or not self._skip(":"):
                raise _Unreadable
            entries[key] = self._literal(depth + 1)
            if not self._skip(","):
                if not self._skip("}"):
                    raise _Unreadable
                break
        return entries


def _value(literal: str) -> object:
    """The value of a string or number. Raises _Unreadable for one that Python does not read, such as 5,000 digits."""
    try:
        if literal[0] in "\"'":
            value: object = ast.literal_eval(literal)
            return value
        return float(literal) if re.search(r"[.eE]", literal) else int(literal)
    except (ValueError, SyntaxError, MemoryError, RecursionError) as error:
        raise _Unreadable from error
