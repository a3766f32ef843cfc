"""Text that changes by itself and matters to no task: named by rules, which are data."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import accumulate
from typing import Literal, get_args

from focusagent.axtree import AxLine, AxTree, LineRanges
from focusagent.axtree.properties import drop_properties
from focusagent.retrieval.controls import INTERACTIVE_ROLES

RuleKind = Literal["property", "mask", "subtree", "line"]
_MASK = "◌"


@dataclass(frozen=True)
class VolatileRule:
    """`pattern` is a regular expression: names of properties that are ignored, a part of a text that is masked, roles
    whose whole subtree is ignored, or a whole line (role and name) that is. Raises ValueError for another kind."""

    name: str
    kind: RuleKind
    pattern: str
    why: str = ""

    def __post_init__(self) -> None:
        if self.kind not in get_args(RuleKind):
            raise ValueError(f"volatile rule {self.name!r}: kind must be one of {', '.join(get_args(RuleKind))}")


class Volatile:
    """A list of rules, ready to compare lines with."""

    def __init__(self, rules: Iterable[VolatileRule]) -> None:
        by_kind: dict[str, list[str]] = {kind: [] for kind in get_args(RuleKind)}
        for rule in rules:
            by_kind[rule.kind].append(rule.pattern)
        self._properties = frozenset(name for pattern in by_kind["property"] for name in pattern.split("|"))
        self._mask, self._role, self._line = (_any(by_kind[kind]) for kind in ("mask", "subtree", "line"))

    def reading(self, line: AxLine) -> str:
        """What the line says once position, bid and volatile parts are gone: equal readings are no change."""
        text = _bare(line)
        if self._properties and ("," in text or "value=" in text):
            text = drop_properties(text, self._properties)
        return self._mask.sub(_MASK, text) if self._mask else text

    def same(self, old: AxLine, new: AxLine) -> bool:
        """Whether both lines read alike."""
        return _bare(old) == _bare(new) or self.reading(old) == self.reading(new)

    def lines(self, tree: AxTree, numbers: LineRanges) -> LineRanges:
        """Which of these lines of the tree are volatile as a whole."""
        if not numbers:
            return numbers
        under: list[tuple[int, int]] = []
        if self._role:
            is_volatile = {role: bool(self._role.fullmatch(role)) for role in {line.role for line in tree.lines}}
            spans = (tree.subtree(line.number) for line in tree.lines if is_volatile[line.role])
            # A drop-down may be drawn as a tooltip: what can be acted on is news, wherever it stands.
            controls = list(accumulate((line.role in INTERACTIVE_ROLES for line in tree.lines), initial=0))
            under = [(first, last) for first, last in spans if controls[last] == controls[first - 1]]
        alone = [n for n in numbers if self._line and self._line.match(_bare(tree.line(n)))]
        return numbers.intersection(LineRanges.of(under)).union(LineRanges.of_numbers(alone))


def _bare(line: AxLine) -> str:
    """The line without its indentation and bid."""
    text = line.reading.lstrip()
    return text.removeprefix(f"[{line.bid}] ") if line.bid else text


def _any(patterns: list[str]) -> re.Pattern[str] | None:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns)) if patterns else None


@lru_cache(maxsize=1)
def packaged() -> Volatile:
    """The rules that come with the package (`volatile.json`)."""
    text = (files(__package__) / "volatile.json").read_text(encoding="utf-8")
    return Volatile(VolatileRule(**rule) for rule in json.loads(text))
