"""A page laid out for one model: which lines each prompt holds, so that none exceeds the model's budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from focusagent.models.request import estimate_tokens
from focusagent.retrieval.base import Query
from focusagent.retrieval.llm.page_text import fit_lines, numbered_lines
from focusagent.retrieval.llm.parts import Part, lines_to_read, plan_parts
from focusagent.retrieval.llm.prompting import Message, PromptOptions, goal_text, render

REPAIR_TOKENS = 640
_LEAST_ROOM = 256
_GOAL_SHARE = 8
_WIDEST = {"index": 9_999, "count": 9_999, "first": 9_999_999, "last": 9_999_999, "lines": 9_999_999}


class NoRoom(ValueError):
    """The budget does not even hold the prompt around a page."""


@dataclass(frozen=True)
class Layout:
    """The parts of a page and what is needed to write the prompt of each; `costs[i]` are the tokens of line i+1."""

    query: Query
    options: PromptOptions
    goal: str
    lines: Sequence[str]
    costs: Sequence[int]
    parts: Sequence[Part]

    def prompt(self, part: Part) -> list[Message]:
        page = "\n".join(self.lines[number - 1] for number in part.numbers)
        return render(self.options, self.query, page, self.goal, self._position(part))

    def label(self, part: Part) -> str:
        """What a call for this part is called in records; "" for a page in one part."""
        if len(self.parts) == 1:
            return ""
        return f"part {self.parts.index(part) + 1} of {len(self.parts)}, lines {part.first} to {part.last}"

    def _position(self, part: Part) -> dict[str, int] | None:
        if len(self.parts) == 1 and part is self.parts[0]:
            return None
        index = next((i for i, other in enumerate(self.parts, 1) if part.first <= other.last), len(self.parts))
        return {
            "index": index,
            "count": len(self.parts),
            "first": part.first,
            "last": part.last,
            "lines": len(self.lines),
        }


def lay_out(query: Query, options: PromptOptions, budget: int) -> Layout:
    """Parts whose prompts, a repair turn included, have at most `budget` tokens. Raises NoRoom where none can."""
    goal = goal_text(query.goal, max(0, budget // _GOAL_SHARE))
    around = estimate_tokens(render(options, query, "", goal, _WIDEST))
    room = budget - around - REPAIR_TOKENS
    if room < _LEAST_ROOM:
        raise NoRoom(
            f"{budget} tokens do not hold a prompt: {around + REPAIR_TOKENS} go to what stands around the page"
        )
    lines, costs = fit_lines(numbered_lines(query.tree, options.compact), room // 4)
    numbers = lines_to_read(query.tree, query.within)
    parts = tuple(plan_parts(query.tree, numbers, costs, room))
    return Layout(query, options, goal, lines, costs, parts)
