"""Reuse around the real retrievers: what `local` and the LLM retriever do when they are asked about a part."""

from __future__ import annotations

from typing import Any

from agentlab.llm.chat_api import OpenAIModelArgs

from focusagent.axtree import AxTree
from focusagent.retrieval import Query, make_retriever
from focusagent.signals import Look, ReusingRetriever

ROWS = "".join(
    f"\n\t[{i}] row 'Order {i} of a customer'\n\t\t[b{i}] button 'Show order {i}'\n\t\tStaticText 'Total ${i}'"
    for i in range(100, 200)
)
PAGE = "RootWebArea 'Orders'\n\t[1] textbox 'Search'\n\t[2] button 'Go', disabled=True" + ROWS
DIALOG = "\n\t[300] dialog 'Cookies'\n\t\tStaticText 'We use cookies'\n\t\t[301] button 'Accept all'"
TERMS = "".join(f"\n\t\tStaticText 'Term {i} says what may be done with the data of customers'" for i in range(40))
QUERIES = (
    Query("show order 150", AxTree.parse(PAGE)),
    Query("show order 150", AxTree.parse(PAGE + DIALOG + TERMS), (), "noop()"),
)


def test_local_chooses_within_the_changed_part_only() -> None:
    retriever = ReusingRetriever(make_retriever("local"))
    before, after = (retriever.select(query) for query in QUERIES)
    assert retriever.decision.look is Look.INCREMENTAL
    allowed = retriever.decision.within.union(retriever.decision.shown)
    assert after.ranges.difference(after.reused).difference(allowed).count == 0
    assert after.reused == before.ranges
    shown = {QUERIES[1].tree.line(number).bid for number in after.ranges}
    assert {"b150", "300", "301"} <= shown


def test_the_llm_retriever_reads_the_changed_part_only_and_may_choose_nothing_of_it(llm_server: Any) -> None:
    model = OpenAIModelArgs("gpt-4.1-mini", max_total_tokens=128_000, max_new_tokens=500)
    retriever = ReusingRetriever(make_retriever("llm", model_args=model))
    llm_server.answer = lambda prompt: "<answer>[(1, 3)]</answer>" if "Order 150" in prompt else "<answer>[]</answer>"
    retriever.select(QUERIES[0])
    selection = retriever.select(QUERIES[1])
    assert len(llm_server.received) == 2
    part = llm_server.received[1].prompt
    assert "[301] button 'Accept all'" in part
    assert "RootWebArea 'Orders'" in part
    assert "[b150]" not in part
    assert selection.fallback is None
    assert selection.reused.pairs == ((1, 3),)
    assert QUERIES[1].tree.by_bid["301"] in selection.ranges
