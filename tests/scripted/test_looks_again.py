"""The scripted backbone looks again only where it is offered and only for what the goal quotes."""

from __future__ import annotations

import pytest

from focusagent.axtree import AxTree
from focusagent.scripted.looks import second_look
from focusagent.scripted.prompt import ReadPrompt

LINES = AxTree.parse("RootWebArea 'x'\n\tStaticText 'The first words, with more'").lines
OFFERS = frozenset({"click", "find_on_page"})


@pytest.mark.parametrize(
    ("goal", "error", "offers", "look"),
    [
        ('Answer "other words"', "", OFFERS, "find_on_page('other words')"),
        ('Answer "other words"', "", frozenset({"click"}), None),
        ('Answer "first words"', "", OFFERS, None),
        ('Answer "other words"', "You looked for the text 'other words': nothing.", OFFERS, None),
        ('Say "other" and "third"', "You looked for the text 'other': nothing.", OFFERS, "find_on_page('third')"),
        ("Ada's and Bob's answers", "", OFFERS, None),
        ("Who rated this on 3 May 2024?", "", OFFERS, "find_on_page('3 May 2024')"),
        ("Thank Ada Byron for it", "", OFFERS, "find_on_page('Ada Byron')"),
        ("Follow maple_birch", "", OFFERS, "find_on_page('maple_birch')"),
    ],
)
def test_a_look_for_what_is_missed(goal: str, error: str, offers: frozenset[str], look: str | None) -> None:
    plan = second_look(ReadPrompt(goal, LINES, (), (), error, offers))
    assert (plan[0] if plan else None) == look
