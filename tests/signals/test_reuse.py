"""Reuse of a selection: when the retriever is asked, about what, and what is never hidden."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focusagent.axtree import AxTree, LineRanges
from focusagent.retrieval import Fallback, Query, Selection
from focusagent.signals.reuse import Look, ReuseMode
from focusagent.signals.reusing import ReusingRetriever

FILLER = "".join(
    f"\n\t[{i}] row 'Order {i} of a customer who ordered'\n\t\tStaticText 'Total {i}'" for i in range(20, 60)
)
PAGE = f"RootWebArea 'Shop'\n\t[1] textbox 'Search'\n\t[2] button 'Go', disabled=True{FILLER}\n\t[9] link 'Help'"
DIALOG = "\n\t[300] dialog 'Cookies'\n\t\tStaticText 'We use them'\n\t\t[301] button 'Accept'"


class Recording:
    """Keeps the lines whose numbers it is told, and remembers what it was asked."""

    def __init__(self, *chosen: int, fallback: Fallback | None = None) -> None:
        self.chosen, self.fallback = chosen, fallback
        self.queries: list[Query] = []

    def select(self, query: Query) -> Selection:
        self.queries.append(query)
        return Selection(LineRanges.of_numbers(self.chosen).clip(len(query.tree)), fallback=self.fallback)


def second_look(
    after: str, action: str = "noop()", error: str = "", mode: ReuseMode = "signals", before: str = PAGE
) -> tuple[Selection, Recording, ReusingRetriever]:
    inner = Recording(1, 2, 3)
    retriever = ReusingRetriever(inner, mode)
    retriever.select(Query("buy", AxTree.parse(before)))
    return retriever.select(Query("buy", AxTree.parse(after), (), action, error)), inner, retriever


def test_nothing_happened_so_nobody_is_asked() -> None:
    selection, inner, retriever = second_look(PAGE)
    assert retriever.decision.look is Look.CARRIED
    assert len(inner.queries) == 1
    assert selection.ranges == selection.reused == LineRanges.of([(1, 3)])
    stats = retriever.stats()
    assert (stats["look_fresh"], stats["look_carried"], stats["retriever_tree_tokens"]) == (1, 1, 0)
    assert not any(retriever.stats().values())


def test_lines_are_carried_over_by_bid_not_by_number() -> None:
    moved = PAGE.replace("RootWebArea 'Shop'", "RootWebArea 'Shop'\n\tStaticText ''\n\tStaticText ''")
    assert second_look(moved)[0].ranges.pairs == ((1, 1), (4, 5))


LONG = PAGE + "".join(f"\n\tStaticText 'Order {i} was sent to a customer in Bath'" for i in range(300))
TERMS = "".join(f"\n\t\tStaticText 'Term {i} says what may be done with the data of customers'" for i in range(40))
LONG_DIALOG = DIALOG + TERMS


def test_on_a_short_page_an_enabled_button_is_asked_about_in_its_surroundings_only() -> None:
    after = PAGE.replace(", disabled=True", "").replace("'Search'", "'Search' value='tea'")
    selection, inner, retriever = second_look(after, "fill('1', 'tea')")
    assert retriever.decision.look is Look.INCREMENTAL
    assert inner.queries[-1].within == LineRanges.of([(3, 3)])
    assert 0 < retriever.stats()["retriever_tree_tokens"] < 20
    assert selection.ranges == LineRanges.of([(1, 3)])
    assert 3 not in selection.reused


def test_on_a_long_page_few_lines_of_news_are_shown_as_they_are_without_asking() -> None:
    selection, inner, retriever = second_look(LONG.replace("'Help'", "'Help!'") + DIALOG, before=LONG)
    assert retriever.decision.look is Look.CARRIED
    assert retriever.decision.why.endswith("few lines, shown as they are")
    assert len(inner.queries) == 1
    tree = AxTree.parse(LONG + DIALOG)
    assert {tree.by_bid["9"], *range(len(tree) - 2, len(tree) + 1)} <= set(selection.ranges)
    assert retriever.stats()["retriever_tree_tokens"] == 0


def test_news_that_adds_up_is_asked_about() -> None:
    inner = Recording(1, 2, 3)
    retriever = ReusingRetriever(inner)
    page, looks = LONG, []
    for part in range(9):
        retriever.select(Query("buy", AxTree.parse(page), (), "noop()"))
        looks.append(retriever.decision.look)
        page += TERMS[: len(TERMS) // 4].replace("Term", f"Part {part}, term")
    assert looks[:6] == [Look.FRESH, *[Look.CARRIED] * 2, Look.INCREMENTAL, *[Look.CARRIED] * 2]
    assert looks.count(Look.INCREMENTAL) == len(inner.queries) - 1 >= 2


def test_on_a_long_page_a_kept_line_is_shown_as_it_now_is_without_asking() -> None:
    expanded = LONG.replace(", disabled=True", ", disabled=True, expanded=True")
    selection, inner, retriever = second_look(expanded, before=LONG)
    assert retriever.decision.look is Look.CARRIED
    assert retriever.decision.why.endswith("shown already")
    assert len(inner.queries) == 1
    assert 3 in selection.ranges
    _, inner, retriever = second_look(expanded + LONG_DIALOG, before=LONG)
    assert retriever.decision.look is Look.INCREMENTAL
    assert inner.queries[-1].within is not None
    assert 3 not in inner.queries[-1].within


def test_a_control_that_became_enabled_is_asked_about_on_a_long_page_too() -> None:
    _, inner, retriever = second_look(LONG.replace(", disabled=True", ""), before=LONG)
    assert retriever.decision.look is Look.INCREMENTAL
    assert len(inner.queries) == 2


def test_a_strict_reuse_asks_about_every_change() -> None:
    inner = Recording(1, 2, 3)
    retriever = ReusingRetriever(inner, strict=True)
    for page in (LONG, LONG.replace(", disabled=True", "")):
        retriever.select(Query("buy", AxTree.parse(page)))
    assert retriever.decision.look is Look.INCREMENTAL
    assert inner.queries[-1].within == LineRanges.of([(3, 3)])


def test_a_new_dialog_is_shown_whatever_the_retriever_says() -> None:
    selection, inner, retriever = second_look(LONG + LONG_DIALOG, before=LONG)
    assert retriever.decision.look is Look.INCREMENTAL
    n = len(AxTree.parse(LONG))
    assert inner.queries[-1].within == LineRanges.of([(n + 1, n + 43)])
    assert retriever.stats()["retriever_tree_tokens"] < 800
    assert n + 1 in selection.ranges
    assert n + 3 in selection.ranges


def test_an_overlay_that_explains_a_failure_is_asked_about_with_the_error() -> None:
    error = "TimeoutError: something is in the way"
    selection, inner, retriever = second_look(LONG + LONG_DIALOG, "click('2')", error, before=LONG)
    assert retriever.decision.look is Look.INCREMENTAL
    assert inner.queries[-1].last_action_error == error
    tree = AxTree.parse(LONG + LONG_DIALOG)
    assert {tree.by_bid["300"], tree.by_bid["2"]} <= set(inner.queries[-1].within or ())
    assert {tree.by_bid["301"], tree.by_bid["1"]} <= set(selection.ranges)


def test_a_small_overlay_that_explains_a_failure_is_shown_with_the_neighbours_without_asking() -> None:
    selection, _, retriever = second_look(LONG + DIALOG, "click('9')", "TimeoutError: something", before=LONG)
    assert retriever.decision.look is Look.CARRIED
    tree = AxTree.parse(LONG + DIALOG)
    assert {tree.by_bid[bid] for bid in ("300", "301", "9")} <= set(selection.ranges)


def test_the_same_failure_on_the_same_page_is_looked_into_once() -> None:
    inner = Recording(1, 2, 3)
    retriever = ReusingRetriever(inner)
    page = AxTree.parse(PAGE)
    retriever.select(Query("buy", page))
    for error in ("TimeoutError: no", "TimeoutError: no", "ValueError: no"):
        retriever.select(Query("buy", page, (), "click('9')", error))
    assert len(inner.queries) == 3
    retriever.select(Query("buy", page, (), "noop()"))
    for error in ("ValueError: no", "TimeoutError: no"):
        assert retriever.select(Query("buy", page, (), "click('9')", error)).reused
    assert len(inner.queries) == 3
    other = AxTree.parse(PAGE.replace("'Shop'", "'Basket'"))
    retriever.select(Query("buy", other, (), "click('1')"))
    retriever.select(Query("buy", other, (), "click('9')", "ValueError: no"))
    assert len(inner.queries) == 5


def test_a_click_without_effect_is_looked_into_once() -> None:
    inner = Recording(1, 2, 3)
    retriever = ReusingRetriever(inner)
    page = AxTree.parse(PAGE)
    retriever.select(Query("buy", page, (), "click('9')"))
    for _ in range(3):
        retriever.select(Query("buy", page, (), "click('9')"))
    assert len(inner.queries) == 2
    assert retriever.decision.look is Look.CARRIED


def test_a_small_dialog_is_shown_and_the_choice_made_below_it_serves_when_it_closes() -> None:
    inner = Recording(1)
    retriever = ReusingRetriever(inner)
    n = len(AxTree.parse(PAGE))
    first = retriever.select(Query("buy", AxTree.parse(PAGE + DIALOG)))
    assert inner.queries[-1].within == LineRanges.of([(1, n)])
    assert first.ranges == LineRanges.of([(1, 1), (n + 1, n + 3)])
    assert retriever.select(Query("buy", AxTree.parse(PAGE))).ranges.pairs == ((1, 1),)
    assert retriever.decision.look is Look.CARRIED


def test_a_choice_in_which_a_large_dialog_took_part_is_made_anew_when_it_closes() -> None:
    _, inner, retriever = second_look(PAGE, before=PAGE + LONG_DIALOG)
    assert inner.queries[0].within is None
    assert retriever.decision.look is Look.FRESH
    inner = Recording(1)
    later = ReusingRetriever(inner)
    for page in (LONG, LONG + LONG_DIALOG, LONG):
        later.select(Query("buy", AxTree.parse(page)))
    assert later.decision.look is Look.CARRIED


def test_a_strict_reuse_has_the_dialog_judged_with_the_page() -> None:
    inner = Recording(1)
    ReusingRetriever(inner, strict=True).select(Query("buy", AxTree.parse(PAGE + DIALOG)))
    assert inner.queries[-1].within is None


@pytest.mark.parametrize("mode", ["unchanged", "any_change", "signals"])
def test_after_a_failed_action_the_retriever_is_told_and_the_neighbours_are_kept(mode: ReuseMode) -> None:
    selection, inner, retriever = second_look(
        PAGE, "click('9')", "TimeoutError: hidden\nCall log:\n" + "waiting\n" * 300, mode
    )
    assert retriever.decision.look is Look.FRESH
    assert inner.queries[-1].last_action_error == "TimeoutError: hidden"
    assert inner.queries[-1].within is None
    if mode == "signals":
        assert AxTree.parse(PAGE).by_bid["9"] in selection.ranges


@pytest.mark.parametrize(
    ("after", "action"),
    [
        (PAGE.replace("'Shop'", "'Basket'"), "click('9')"),
        (PAGE.replace("Total", "Sum"), "noop()"),
        (PAGE + FILLER.replace("[", "[a"), "click('9')"),
    ],
)
def test_another_page_or_a_much_changed_one_is_looked_at_afresh(after: str, action: str) -> None:
    assert second_look(after, action)[2].decision.look is Look.FRESH


def test_controls() -> None:
    ticking = PAGE + "\n\tStaticText '10:41'"
    later = PAGE + "\n\tStaticText '10:42'"
    typed = PAGE.replace("'Search'", "'Search' value='tea'")
    looks = {
        mode: [
            second_look(PAGE, mode=mode)[2].decision.look,
            second_look(later, mode=mode, before=ticking)[2].decision.look,
            second_look(typed, "fill('1', 'tea')", mode=mode)[2].decision.look,
        ]
        for mode in ("never", "unchanged", "any_change", "signals")
    }
    new, kept = Look.FRESH, Look.CARRIED
    assert looks == {
        "never": [new, new, new],
        "unchanged": [kept, new, new],
        "any_change": [kept, kept, new],
        "signals": [kept, kept, kept],
    }


def test_another_goal_or_a_failed_selection_is_never_carried_over() -> None:
    inner = Recording(1, fallback=Fallback.TIMEOUT)
    retriever = ReusingRetriever(inner)
    query = Query("buy", AxTree.parse(PAGE))
    retriever.select(query)
    retriever.select(query)
    inner.fallback = None
    retriever.select(replace(query, goal="sell"))
    retriever.select(query)
    assert len(inner.queries) == 4


def test_a_failure_on_a_part_shows_that_part() -> None:
    inner = Recording(1, 2)
    retriever = ReusingRetriever(inner)
    retriever.select(Query("buy", AxTree.parse(LONG)))
    inner.fallback = Fallback.TIMEOUT
    selection = retriever.select(Query("buy", AxTree.parse(LONG + LONG_DIALOG), (), "noop()"))
    assert selection.fallback is Fallback.TIMEOUT
    assert selection.unread == retriever.decision.within
    assert LineRanges.of([(1, 2)]).difference(selection.ranges) == LineRanges()


def test_a_part_that_holds_nothing_of_use_is_no_failure() -> None:
    inner = Recording(1, 2)
    retriever = ReusingRetriever(inner)
    retriever.select(Query("buy", AxTree.parse(LONG)))
    inner.fallback = Fallback.NOTHING_VALID
    selection = retriever.select(Query("buy", AxTree.parse(LONG + TERMS), (), "noop()"))
    assert retriever.decision.look is Look.INCREMENTAL
    assert selection.fallback is None
    assert selection.ranges.pairs == ((1, 2),)


def test_warnings_stay_with_the_lines_that_are_carried_over() -> None:
    class Wary(Recording):
        def select(self, query: Query) -> Selection:
            return replace(super().select(query), flagged=LineRanges.of([(3, 3)]))

    retriever = ReusingRetriever(Wary(1, 2))
    retriever.select(Query("buy", AxTree.parse(PAGE)))
    moved = PAGE.replace("RootWebArea 'Shop'", "RootWebArea 'Shop'\n\tStaticText ''")
    assert retriever.select(Query("buy", AxTree.parse(moved), (), "noop()")).flagged.pairs == ((4, 4),)


def test_an_unknown_mode_is_named() -> None:
    with pytest.raises(ValueError, match="reuse must be one of never, unchanged"):
        ReusingRetriever(Recording(1), "often").select(Query("buy", AxTree.parse(PAGE)))  # type: ignore[arg-type]


LINES = st.lists(
    st.sampled_from(
        [
            TERMS[1:],
            "\t[2] button 'Go'",
            "\t[2] button 'Go', disabled=True",
            "\t[4] dialog 'Sure?'",
            "\t\t[5] button 'Yes'",
            "\tStaticText '9'",
            "\t[7] menu ''",
            "\t[8] textbox 'Name' value='tea'",
        ]
    ),
    max_size=12,
)


@settings(deadline=None)
@given(
    st.sampled_from([PAGE, LONG]),
    LINES,
    LINES,
    st.sets(st.integers(1, 12)),
    st.sampled_from(["noop()", "fill('8', 'tea')", "click('2')"]),
)
def test_no_new_dialog_is_hidden_on_any_page(
    page: str, before: list[str], after: list[str], chosen: set[int], action: str
) -> None:
    old, new = (AxTree.parse("\n".join([page, *lines])) for lines in (before, after))
    retriever = ReusingRetriever(Recording(*chosen or {1}))
    retriever.select(Query("buy", old))
    selection = retriever.select(Query("buy", new, (), action))
    assert selection.ranges == selection.ranges.clip(len(new))
    fresh = {line.text for line in new.lines} - {line.text for line in old.lines}
    hidden = [
        n for n in LineRanges.all(len(new)).difference(selection.ranges) if new.line(n).role in ("dialog", "menu")
    ]
    if retriever.decision.look is not Look.FRESH:
        assert not [n for n in hidden if new.line(n).text in fresh]
