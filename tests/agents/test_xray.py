"""The page of a step: every part's prompt and answer, nothing from outside, nothing unescaped."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from says import SaysArgs, observation

from focusagent import FocusAgentArgs
from focusagent.axtree import LineRanges
from focusagent.models.call import Call
from focusagent.retrieval import Fallback, Query, Selection

NASTY = "<script>alert(1)</script> \ud800"
PAGE = "RootWebArea 'x'\n" + "\n".join(f"\t[a{i}] button 'B{i}'" for i in range(2, 1_500)) + f"\n\tStaticText '{NASTY}'"
NUMBERED = "\n".join(f"{number}: {line}" for number, line in enumerate(PAGE.split("\n"), 1))
CALLS = tuple(
    Call(
        "light",
        ({"role": "user", "content": f"Choose lines. {NASTY}\n{NUMBERED}"},),
        f"<answer>[(1, 3)]</answer> {NASTY}",
        label=f"part {part} of 2, lines {part * 700 - 699} to {part * 700}",
        reasoning="I thought.",
        input_tokens=9_000,
        cached_tokens=500,
        cost=cost,
        retries=1,
    )
    for part, cost in ((1, 0.0036), (2, None))
)


@dataclass
class TwoParts:
    def select(self, query: Query) -> Selection:
        return Selection(
            LineRanges.of([(1, 3)]),
            NASTY,
            fallback=Fallback.CALL_CAP,
            calls=CALLS,
            unread=LineRanges.of([(1_401, 1_500)]),
            notes=("reversed ranges turned round: 1",),
        )


def html(**more: Any) -> str:
    args = FocusAgentArgs(SaysArgs(), retriever=f"{__name__}.TwoParts", simplify=False, **more)
    return str(args.make_agent().get_action(observation(PAGE))[1].html_page)


def test_every_part_is_shown_as_such() -> None:
    page = html()
    assert "Retriever call 1 of 2 (part 1 of 2, lines 1 to 700): light" in page
    assert "Retriever call 2 of 2 (part 2 of 2, lines 701 to 1400): light" in page
    assert "9000 tokens in (500 cached)" in page
    assert "0.00360 $" in page
    assert "cost n/a" in page
    assert "1 retries" in page
    assert "No one read 100 lines: 1401-1500." in page
    assert "reversed ranges turned round: 1" in page
    assert "call_cap" in page


def test_nothing_from_a_page_or_a_model_is_markup() -> None:
    page = html()
    assert page.count("<script>") == 1, "our own"
    assert "&lt;script&gt;alert(1)" in page
    page.encode()


def test_the_tree_is_stored_once_and_nothing_comes_from_outside() -> None:
    page = html()
    assert page.count("[a700] button") == 1
    assert len(page) < 6 * len(PAGE)
    assert not re.search(r"(?:src|href)\s*=|@import|url\(", page)
    assert 'type="search"' in page


@dataclass
class Quoting:
    """A retriever that repeats what the page says, wherever it can."""

    def select(self, query: Query) -> Selection:
        said = query.tree.line(1).text
        call = Call(said, ({"role": said, "content": said},), said, label=said, reasoning=said, error=said)
        return Selection(LineRanges.of([(1, 2)]), said, why={1: said, 2: said}, calls=(call,), notes=(said,))


def test_a_browser_finds_nothing_but_our_own_page(tmp_path: Path, look_at: Callable[[Path], Any], nasty: str) -> None:
    page = f"RootWebArea '{nasty}'\n\t[1] button '{nasty}'\n\tStaticText '{nasty}'"
    args = FocusAgentArgs(SaysArgs(), retriever=f"{__name__}.Quoting", simplify=False, skip_below=0)
    obs = observation(page, goal=nasty, last_action_error=nasty)
    file = tmp_path / "step.html"
    file.write_text(str(args.make_agent().get_action(obs)[1].html_page), encoding="utf-8")
    seen = look_at(file)
    assert seen.harm == []
    assert seen.text.count(nasty[:20]) > 8
