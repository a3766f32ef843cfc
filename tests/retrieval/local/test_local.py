"""The `local` retriever: what always stays, what belongs together, budgets, and pages of every kind."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focusagent.axtree import AxTree, LineRanges, prune, simplify
from focusagent.models.tokens import count_tokens
from focusagent.retrieval import Query, Selection, make_retriever
from focusagent.retrieval.local.choice import PLACEHOLDER_TOKENS, Choice, Limits, Lines, choose
from focusagent.retrieval.local.page import view
from focusagent.retrieval.local.retriever import LONG, SHORT, Budget, Local
from focusagent.retrieval.local.words import asks, words

LOCAL = Local()


def kept_texts(selection: Selection, tree: AxTree) -> list[str]:
    return [tree.line(number).text.strip() for number in selection.ranges]


def shop(items: int = 120) -> AxTree:
    rows = [
        f"\t\t[i{i}] listitem ''\n\t\t\t[h{i}] heading 'Kettle model {i}'\n\t\t\tStaticText 'In stock, {i} euro'\n"
        f"\t\t\t[b{i}] button 'Add to cart'"
        for i in range(items)
    ]
    return AxTree.parse(
        "RootWebArea 'Shop', url='http://shop.test/'\n\t[n] navigation 'Main menu'\n\t\t[n1] link 'Help'\n"
        "\t[m] main 'Products'\n" + "\n".join(rows) + "\n\t[f] contentinfo ''\n\t\t[f1] link 'Imprint'"
    )


def test_the_item_meant_is_kept_with_its_button_and_what_tells_it_apart() -> None:
    tree = shop()
    texts = kept_texts(make_retriever("local-lean").select(Query('Put "Kettle model 77" into the cart', tree)), tree)
    assert {"[b77] button 'Add to cart'", "[h77] heading 'Kettle model 77'", "[m] main 'Products'"} <= set(texts)
    assert texts[0].startswith("RootWebArea")


def test_every_kept_control_brings_its_named_ancestor_and_its_label() -> None:
    tree = shop()
    page = view(tree)
    kept = set(make_retriever("local", share=0.2).select(Query("a kettle", tree)).ranges)
    buttons = [line for line in tree.lines if line.role == "button" and line.number in kept]
    assert buttons
    for line in buttons:
        assert page.ancestor[line.number - 1] + 1 in kept
        assert page.label[line.number - 1] + 1 in kept


PARTS = (
    "RootWebArea 'Page'\n\t[d] dialog 'Cookies'\n\t\t[d1] button 'Reject all'\n\t[h] main ''\n"
    "\t\t[h1] heading 'Settings'\n"
    + "\n".join(f"\t\t[x{i}] link 'Entry {i}'" for i in range(300))
    + "\n\t\t[t] textbox 'Nickname', focused\n\t\t[s] status ''\n\t\t\tStaticText 'Saved'\n\t\t[z] button 'Zoom'"
)


@pytest.mark.parametrize(
    "line",
    [
        "RootWebArea 'Page'",
        "[d] dialog 'Cookies'",
        "[d1] button 'Reject all'",
        "[h1] heading 'Settings'",
        "[t] textbox 'Nickname', focused",
        "StaticText 'Saved'",
        "[z] button 'Zoom'",
        "[x200] link 'Entry 200'",
        "[x201] link 'Entry 201'",
    ],
)
def test_what_stays_whatever_the_goal_says(line: str) -> None:
    tree = AxTree.parse(PARTS)
    query = Query("entry 7", tree, last_action="click('x200')", focused_bid="z")
    assert line in kept_texts(make_retriever("local-lean").select(query), tree)


def test_options_that_the_goal_names_come_with_their_list() -> None:
    options = "\n".join(f"\t\t[o{i}] option '{i}', selected={i == 1}" for i in range(1, 60))
    filler = "\n".join(f"\t[p{i}] link 'Offer {i} of the week'" for i in range(200))
    tree = AxTree.parse(f"RootWebArea 'Order'\n{filler}\n\t[q] combobox 'Quantity' value='1'\n{options}")
    texts = kept_texts(make_retriever("local-lean").select(Query("order 37 lamps, set the quantity", tree)), tree)
    assert "[o37] option '37', selected=False" in texts
    assert "[o1] option '1', selected=True" in texts


def test_the_answer_to_a_question_is_kept() -> None:
    prose = "\n".join(f"\t\tStaticText 'Paragraph {i} about gardens and weather.'" for i in range(150))
    tree = AxTree.parse(
        f"RootWebArea 'Report'\n\t[m] main ''\n{prose}\n"
        "\t\tStaticText 'Water used by office 456 last year: 50,000 gallons.'"
    )
    selection = make_retriever("local").select(Query("How much water does office 456 use a year?", tree))
    assert any("50,000" in text for text in kept_texts(selection, tree))


@given(st.floats(0.05, 1), st.integers(0, 200_000))
def test_budgets_fall_with_length_and_never_exceed_the_share(share: float, received: int) -> None:
    budget = Budget(share, long=0.5, floor=0)
    assert budget.of(received) <= share * received + 1e-6
    assert budget.of(received) >= share * 0.5 * received - 1e-6
    if received <= SHORT:
        assert budget.of(received) == pytest.approx(share * received)
    if received >= LONG:
        assert budget.of(received) == pytest.approx(share * 0.5 * received)
    assert Budget(share, tokens=77).of(received) == 77


def test_the_budget_counts_the_page_as_received() -> None:
    tree = AxTree.parse(
        "RootWebArea 'x', url='http://s.test/'\n"
        + "\n".join(f"\t[{i}] link 'Entry {i}', url='http://s.test/{'long/' * 20}?{i}'" for i in range(300))
    )
    short = simplify(tree).tree
    received = count_tokens(tree.text)
    selection = make_retriever("local", share=0.2).select(Query("none of these", short))
    spent = count_tokens(prune(short, selection.ranges).text)
    assert spent <= replace(LOCAL.budget, share=0.2).of(received) * 1.1
    assert spent > 0.2 * count_tokens(short.text)


COSTS = st.lists(st.integers(1, 40), min_size=1, max_size=30)


@given(COSTS, st.lists(st.integers(0, 29), max_size=40))
def test_the_price_of_a_choice_is_that_of_the_pruned_page(costs: list[int], order: list[int]) -> None:
    choice = Choice(costs)
    for index in order:
        if index < len(costs):
            choice.add(index)
            if index % 3 == 0:
                choice.remove(index)
    gaps = sum(
        not kept and (index == 0 or before)
        for index, (kept, before) in enumerate(zip(choice.kept, [True, *choice.kept], strict=False))
    )
    assert (
        choice.tokens == sum(c for c, kept in zip(costs, choice.kept, strict=True) if kept) + gaps * PLACEHOLDER_TOKENS
    )


@given(COSTS, st.integers(0, 400), st.randoms(use_true_random=False))
def test_choices_keep_to_the_budget_but_for_what_must_stay(costs: list[int], budget: int, dice: random.Random) -> None:
    scores = [dice.random() for _ in costs]
    kept = choose(Lines(costs, scores, lambda index: [index, 0]), [0], [], Limits(budget)).kept
    spent = Choice(costs)
    for index, keep in enumerate(kept):
        if keep:
            spent.add(index)
    alone = Choice(costs)
    alone.add(0)
    assert kept[0]
    assert spent.tokens <= max(budget, alone.tokens)


@given(st.text(max_size=400), st.text(max_size=80))
def test_any_text_is_a_page_and_any_text_a_goal(text: str, goal: str) -> None:
    tree = AxTree.parse(text)
    selection = LOCAL.select(Query(goal, tree, last_action="click('\u00e9')"))
    assert 1 in selection.ranges
    assert selection.ranges == selection.ranges.clip(len(tree))
    assert set(selection.why) == set(selection.ranges)
    assert all(selection.why.values())


def test_the_same_query_gives_the_same_selection() -> None:
    tree = shop(60)
    query = Query("Kettle model 5", tree)
    warm = Local()
    first = warm.select(query)
    assert first == warm.select(query) == Local().select(query)


def test_only_lines_within_are_chosen() -> None:
    within = LineRanges.of([(40, 80), (200, 260)])
    ranges = LOCAL.select(Query("Kettle model 12", shop(), within=within)).ranges
    assert ranges
    assert not ranges.difference(within)


@pytest.mark.parametrize(
    ("goal", "line"),
    [
        ("点击购物车结算", "[t] button '购物车结算'"),
        ("Нажми кнопку «Оформить заказ»", "[t] button 'Оформить заказ'"),
        ("اضغط على زر تسجيل الدخول", "[t] button 'تسجيل الدخول'"),
        ("press the 🚀 launch control", "[t] button '🚀 launch'"),
        ("ตะกร้าสินค้า", "[t] button 'ตะกร้าสินค้า'"),
    ],
)
def test_goals_in_any_language_find_their_words(goal: str, line: str) -> None:
    filler = "\n".join(f"\t[{i}] button 'عنصر 项目 пункт {i}'" for i in range(300))
    tree = AxTree.parse(f"RootWebArea ''\n{filler}\n\t{line}\n{filler.replace('[', '[z')}")
    assert line in kept_texts(make_retriever("local-lean").select(Query(goal, tree)), tree)


def test_long_pages_and_long_goals() -> None:
    tree = AxTree.parse(
        "RootWebArea 'Asset list'\n" + "\n".join(f"\t\t[a{i}] gridcell 'P10{i}'" for i in range(100_000))
    )
    goal = "find asset P1012345 " + "and some more words " * 1_250
    selection = make_retriever("local", tokens=2_000).select(Query(goal, tree))
    assert "[a12345] gridcell 'P1012345'" in kept_texts(selection, tree)
    assert selection.ranges.count < 1_000


def test_wrong_settings_are_refused() -> None:
    with pytest.raises(ValueError, match="share"):
        Local(share=1.5)
    with pytest.raises(ValueError, match="unknown features: nonsense"):
        Local(weights={"nonsense": 1.0})


def test_words_and_questions() -> None:
    assert words("Ordered 3 LAPTOPS, ordering!") == ("order", "3", "laptop", "order")
    assert words("购物车") == ("购物", "物车")
    assert asks("What is the total?")
    assert asks("Tell me the price")
    assert not asks("Order 3 laptops")
    assert not asks("Order it with {'What size do you want?': '500'}")
    assert asks('Answer the following: "What is it?"')
