"""Text that changes by itself and matters to no task: named by rules, which are data."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Literal, get_args

from focusagent.axtree import AxLine, AxTree, LineRanges
from focusagent.axtree.properties import drop_properties, split_line

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
        text = line.text.lstrip().removeprefix(f"[{line.bid}] ") if line.bid else line.text.lstrip()
        if self._properties and split_line(text)[1]:
            text = drop_properties(text, self._properties)
        return self._mask.sub(_MASK, text) if self._mask else text

    def lines(self, tree: AxTree, numbers: Iterable[int]) -> LineRanges:
        """Which of these lines of the tree are volatile as a whole."""
        return LineRanges.of_numbers(number for number in numbers if self._is_volatile(tree, number))

    def _is_volatile(self, tree: AxTree, number: int) -> bool:
        line = tree.line(number)
        if self._line and self._line.match(line.text.lstrip().removeprefix(f"[{line.bid}] ")):
            return True
        if self._role is None:
            return False
        return any(self._role.fullmatch(tree.line(above).role) for above in (number, *tree.ancestors(number)))


def _any(patterns: list[str]) -> re.Pattern[str] | None:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns)) if patterns else None


@lru_cache(maxsize=1)
def packaged() -> Volatile:
    """The rules that come with the package (`volatile.json`)."""
    text = (files(__package__) / "volatile.json").read_text(encoding="utf-8")
    return Volatile(VolatileRule(**rule) for rule in json.loads(text))
