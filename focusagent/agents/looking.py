"""Offering the backbone a second look (see `focusagent.second_look`): two actions that the agent answers itself."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from browsergym.core.action.highlevel import HighLevelActionSet

from focusagent.second_look import Look

_SUMMED = ("backbone_", "n_retry", "busted_retry", "input_tokens", "output_tokens", "cost")


def show_lines(first: int, last: int):  # type: ignore[no-untyped-def]
    """
    Look again: show the pruned lines from first to last, as a placeholder numbers them. Nothing happens on the page.

    Examples:
        show_lines(120, 180)
    """


def find_on_page(text: str):  # type: ignore[no-untyped-def]
    """
    Look again: show the pruned lines that hold all words of text. Nothing happens on the page.

    Examples:
        find_on_page('delivery address')
    """


def with_looks(action_set_args: Any) -> HighLevelActionSet:
    """The action set of these arguments with the two looks added."""
    return HighLevelActionSet(
        subsets=[*action_set_args.subsets, "custom"],
        custom_actions=[show_lines, find_on_page],
        multiaction=action_set_args.multiaction,
        strict=action_set_args.strict,
        retry_with_force=action_set_args.retry_with_force,
        demo_mode=action_set_args.demo_mode,
    )


@contextmanager
def offering(agent: Any, action_set: HighLevelActionSet | None) -> Iterator[None]:
    """The agent's prompt offers `action_set` meanwhile; the environment never sees it."""
    own = agent.action_set
    agent.action_set = action_set or own
    try:
        yield
    finally:
        agent.action_set = own


def answer_to(look: Look, found: int, text: str) -> str:
    """What the backbone is told about its look, in the place of the last action's error."""
    said = f"{found} more lines are shown now" if found else "nothing that is not shown already"
    return f"{text}\nYou looked for {look}: {said}.".strip()


def both(first: Mapping[str, float], second: Mapping[str, float]) -> dict[str, float]:
    """The figures of two turns of one step: what counts up is added, the rest is the second's."""
    added = {key: first[key] + second.get(key, 0) for key in first if key.startswith(_SUMMED)}
    return {**first, **second, **added}
