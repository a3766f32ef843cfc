"""Which lines a policy needs: computed by removing lines from the full tree and watching the action."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from focusagent.axtree import AxLine, LineRanges

Act = Callable[[Sequence[AxLine]], object]


@dataclass(frozen=True)
class Needed:
    """`lines` are the needed line numbers. `complete` is False where the runs were used up; the parts that were not
    searched to the end then count as needed."""

    lines: LineRanges
    runs: int
    complete: bool


class _Search:
    def __init__(self, lines: Sequence[AxLine], act: Act, max_runs: int) -> None:
        self.lines, self.act, self.max_runs = lines, act, max_runs
        self.runs, self.complete = 1, True
        self.wanted = act(lines)

    def same_without(self, removed: range, also: frozenset[int]) -> bool:
        self.runs += 1
        left = [line for index, line in enumerate(self.lines) if index not in removed and index not in also]
        return self.act(left) == self.wanted

    def needed(self, part: range, gone: frozenset[int]) -> list[int]:
        """Indices in `part` that matter once `gone` is removed; `part` as a whole is known to matter."""
        if len(part) == 1:
            return list(part)
        if self.runs >= self.max_runs:
            self.complete = False
            return list(part)
        middle = part[len(part) // 2]
        halves = range(part.start, middle), range(middle, part.stop)
        matter = [half for half in halves if not self.same_without(half, gone)]
        if matter:
            return [index for half in matter for index in self.needed(half, gone)]
        return self.needed(halves[1], gone | frozenset(halves[0]))


def needed_lines(lines: Sequence[AxLine], act: Act, max_runs: int = 1_000) -> Needed:
    """A line is needed when `act` does something else without it. Halves are removed first. Where either of two parts
    does (a text shown twice), the later one counts. An action that no line changes needs none."""
    search = _Search(lines, act, max_runs)
    whole = range(len(lines))
    found = [] if not lines or search.same_without(whole, frozenset()) else search.needed(whole, frozenset())
    numbers = LineRanges.of_numbers(lines[index].number for index in found)
    return Needed(numbers, search.runs, search.complete)
