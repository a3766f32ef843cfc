"""The retriever's prompts, rendered from `prompts/`: one file a strategy. A variable that is missing is an error."""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from focusagent.models.tokens import count_tokens
from focusagent.retrieval.base import Query
from focusagent.retrieval.llm.page_text import fence_for, inline, printable

if TYPE_CHECKING:
    from jinja2 import Environment

STRATEGIES = ("soft", "neutral", "aggressive", "defense")
_STEPS, _STEP_CHARACTERS, _BID_CHARACTERS = 20, 500, 40
Message = dict[str, Any]


@dataclass(frozen=True)
class PromptOptions:
    """What the prompt holds beside goal and page. The paper's configuration has history, last action, focus and both
    examples off, and its own numbering of lines."""

    strategy: str = "soft"
    history: bool = False  # past thoughts and actions
    whole_history: bool = False  # all steps in full, as in the paper; else the last 20, texts cut at 500 characters
    last_action: bool = False  # the last action and its error
    focused: bool = False  # the bid of the element that has the focus
    screenshot: bool = False
    abstract_example: bool = True
    concrete_example: bool = True
    ask_flags: bool = False
    structured: bool = False
    compact: bool = False  # numbers without a colon, one space a level
    secret: str = ""  # of the fence around the page, hexadecimal; "" makes the fence of page and goal

    def __post_init__(self) -> None:
        if self.strategy not in STRATEGIES:
            raise ValueError(f"strategy must be one of {', '.join(STRATEGIES)}, not {self.strategy!r}")


@lru_cache(maxsize=1)
def _templates() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    loader = PackageLoader("focusagent.retrieval.llm", "prompts")
    return Environment(loader=loader, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)


def render(
    options: PromptOptions, query: Query, page: str, goal: str, part: Mapping[str, int] | None = None
) -> list[Message]:
    """System and user message. `page` is the text of the numbered lines, `part` says which part it is (index, count,
    first, last, lines) or None; the page stands last, between two fences that its text cannot hold."""
    image = screenshot_url(query.screenshot) if options.screenshot and query.screenshot is not None else None
    text = (
        _templates()
        .get_template(f"{options.strategy}.j2")
        .render(
            goal=goal,
            history=_steps(query, options.whole_history) if options.history else (),
            last_action=_last_action(query) if options.last_action and query.last_action else None,
            focused=inline(query.focused_bid, _BID_CHARACTERS) if options.focused else "",
            screenshot=image is not None,
            abstract_example=options.abstract_example,
            concrete_example=options.concrete_example,
            ask_flags=options.ask_flags,
            structured=options.structured,
            part=part,
            within=query.within is not None,
            fence=fence_for(page, goal, options.secret),
            page=page,
        )
    )
    content: Any = text
    if image:
        content = [{"type": "image_url", "image_url": {"url": image}}, {"type": "text", "text": text}]
    system = _templates().get_template("system.j2").render()
    return [{"role": "system", "content": system}, {"role": "user", "content": content}]


def render_repair(options: PromptOptions, problem: str, first: int, last: int) -> str:
    """What the model is told about an answer that could not be used; never empty."""
    template = _templates().get_template("repair.j2")
    return template.render(problem=problem, first=first, last=last, structured=options.structured).strip()


def goal_text(goal: str, max_tokens: int) -> str:
    """The goal, cut to `max_tokens` with a visible mark: no goal may crowd out the page."""
    text = printable(goal)
    tokens = count_tokens(text)
    if tokens <= max_tokens:
        return text
    kept = text[: max(0, len(text) * max_tokens // tokens - 60)]
    return f"{kept}… (+{len(text) - len(kept)} characters)"


def answer_schema(options: PromptOptions) -> dict[str, Any] | None:
    """JSON schema of an answer for providers that can hold a model to one; None where none is asked for."""
    if not options.structured:
        return None
    pairs = {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}}
    fields = {"reasoning": {"type": "string"}, "answer": pairs} | ({"attack": pairs} if options.ask_flags else {})
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def _steps(query: Query, whole: bool) -> Sequence[Mapping[str, str]]:
    steps = query.history if whole else query.history[-_STEPS:]
    limits = [max(map(len, step)) if whole else _STEP_CHARACTERS for step in steps]
    return [
        {"thought": inline(thought, limit), "action": inline(action, limit)}
        for (thought, action), limit in zip(steps, limits, strict=True)
    ]


def _last_action(query: Query) -> Mapping[str, str]:
    return {"action": _short(query.last_action), "error": _short(query.last_action_error)}


def _short(text: str) -> str:
    return inline(text, _STEP_CHARACTERS)


def screenshot_url(screenshot: Any) -> str:
    """An RGB array of height x width x 3 as a PNG data URL."""
    from PIL import Image

    buffer = io.BytesIO()
    Image.fromarray(screenshot).save(buffer, format="PNG")
    return "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode()
