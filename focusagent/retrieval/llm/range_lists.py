"""Lists of line ranges in the notations that models use: tuples, JSON, objects, dashes, bare numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

Pair = tuple[int, int]
_HUGE = 10**9
_NOISE = re.compile(r"^[ \t]*(?:```.*$|[-*][ \t]+)|#[^\n]*|//[^\n]*", re.MULTILINE)
_LABEL = re.compile(r"""["']?\b(?:start|begin|first|from|end|stop|last|to|lines?)["']?\s*[:=]\s*""", re.IGNORECASE)
_THROUGH = re.compile(r"\b(?:to|through)\b", re.IGNORECASE)
_FILLER = re.compile(r"\b(?:lines?|and)\b", re.IGNORECASE)
_TOKEN = re.compile(
    r"(?P<number>\d+)(?:\.\d+)?|(?P<dash>->|→|\.{2,}|[-‐‑‒–—−~:…])|(?P<open>[\[({])|(?P<close>[\])}])"
    r"""|(?P<comma>[,;])|(?P<space>(?:[\s"']|\.(?!\.))+)|(?P<word>.)""",
    re.DOTALL,
)
_MARKS = r"\d\s,;()\[\]\-–—−‐‑‒.:…~→>\"'"
_BLOCK = re.compile(rf"^[ \t]*[-*\d(\[][{_MARKS}]*$", re.MULTILINE)
_RUN = re.compile(rf"[{_MARKS}]+")
_NESTED = re.compile(r"[\[(]\s*[\[(]|\d\s*[-–—−‐‑‒]\s*\d|\(\s*\d+\s*,\s*\d+\s*\)")


def read_ranges(text: str) -> tuple[Pair, ...] | None:
    """The pairs in `text` as written: reversed or out of any page, if they are. () for an empty list; None where the
    text holds anything else than a list, or a list that was cut off inside a pair or after a comma. One that was cut
    off after a whole pair counts. Linear in the text."""
    for pattern, replacement in ((_NOISE, " "), (_LABEL, " "), (_THROUGH, "-"), (_FILLER, " ")):
        text = pattern.sub(replacement, text)
    reading = _Reading()
    for match in _TOKEN.finditer(text):
        if not reading.take(str(match.lastgroup), match[match.lastgroup or 0]):
            return None
    return reading.result()


def lists_in(text: str) -> Iterator[str]:
    """What may be a list in free text, the last first: blocks of lines that hold nothing but a list, and lists of
    pairs in the middle of a sentence. A lone `[12]` in a sentence is a bid, not a list."""
    found = [(match.end(), match[0]) for match in _BLOCK.finditer(text) if re.search(r"\d|\[\s*\]", match[0])]
    for match in _RUN.finditer(text):
        opened = re.search(r"[\[(]", match[0])
        closed = max(match[0].rfind("]"), match[0].rfind(")"))
        if opened and closed > opened.start() and _NESTED.search(match[0]):
            body, rest = match[0][opened.start() : closed + 1], match[0][closed + 1 :]
            if _is_whole(body) and not re.search(r"\d", rest):
                found.append((match.start() + closed + 1, body))
    return (body for _, body in sorted(found, reverse=True))


def _is_whole(body: str) -> bool:
    return body.count("[") == body.count("]") and body.count("(") == body.count(")")


@dataclass
class _Group:
    """One open bracket: the numbers directly in it, and whether it holds anything else."""

    numbers: list[int] = field(default_factory=list)
    mixed: bool = False


@dataclass
class _Reading:
    """The state of one pass over the tokens; nesting is kept on a list, so that no depth is too deep."""

    pairs: list[Pair] = field(default_factory=list)
    groups: list[_Group] = field(default_factory=lambda: [_Group()])
    first_bracket: str = ""
    brackets: int = 0
    before: str = ""
    dashed: bool = False
    from_numbers: bool = False

    def take(self, kind: str, text: str) -> bool:
        """Read one token; False for one that belongs to no list."""
        match kind:
            case "space":
                return True
            case "word":
                return False
            case "dash":
                self.dashed = True
                return True
            case "number":
                self._number(int(text) if len(text) < 10 else _HUGE)
            case "open":
                self.groups[-1].mixed = True
                self.groups.append(_Group())
                self.first_bracket = self.first_bracket or text
                self.brackets += 1
            case "close" if len(self.groups) > 1:
                self._settle(self.groups.pop(), as_pair=True)
        self.dashed = False
        self.before = kind
        return True

    def result(self) -> tuple[Pair, ...] | None:
        if any(group.numbers for group in self.groups[1:]) or (len(self.groups) > 1 and self.before == "comma"):
            return None
        self._settle(self.groups[0], as_pair=False)
        if not self.pairs and not self.brackets:
            return None
        if self.brackets == 1 and self.first_bracket == "[" and self.from_numbers and len(self.pairs) == 1:
            first, last = self.pairs[0]
            return ((first, first), (last, last))
        return tuple(self.pairs)

    def _number(self, value: int) -> None:
        group = self.groups[-1]
        if self.dashed and self.before == "number" and group.numbers:
            self.pairs.append((group.numbers.pop(), value))
            group.mixed = True
        else:
            group.numbers.append(-value if self.dashed else value)

    def _settle(self, group: _Group, as_pair: bool) -> None:
        """Two plain numbers in one bracket are a range; only `[5, 7]` on its own turns out to be two lines."""
        numbers, group.numbers = group.numbers, []
        if as_pair and len(numbers) == 2 and not group.mixed:
            self.pairs.append((numbers[0], numbers[1]))
            self.from_numbers = True
        else:
            self.pairs.extend((number, number) for number in numbers)
