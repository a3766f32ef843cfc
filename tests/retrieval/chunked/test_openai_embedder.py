"""OpenAI's embeddings against a local server: batches, cost, what is asked once only, and failures."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from focusagent.axtree import AxTree
from focusagent.models.failure import ModelError
from focusagent.retrieval import Fallback, Query, make_retriever
from focusagent.retrieval.chunked.openai_embedder import MAX_BATCH_TEXTS, OpenAIEmbedder

MODEL = "text-embedding-3-small"
PAGE = AxTree.parse("RootWebArea 'x'\n" + "\n".join(f"\t[{i}] link '{'abcdefgh'[i % 8] * 20} {i}'" for i in range(200)))


def test_vectors_cost_and_no_text_twice(llm_server: Any) -> None:
    embedder = OpenAIEmbedder(MODEL)
    first = embedder.embed(["aab", "b", "", "aab"])
    expected = [[2 / 5**0.5, 1 / 5**0.5] + [0.0] * 6, [0.0, 1.0] + [0.0] * 6]
    assert np.allclose(first.vectors[:2], expected)
    assert np.allclose(first.vectors[3], first.vectors[0])
    assert not first.vectors[2].any()
    (call,) = first.calls
    assert call.input_tokens > 0
    assert call.cost == pytest.approx(call.input_tokens * 0.02 / 1_000_000)
    assert embedder.embed(["b", "aab"]).calls == ()
    assert len(llm_server.received) == 1
    assert len(pickle.loads(pickle.dumps(embedder)).embed(["b"]).vectors) == 1


def test_texts_go_in_batches(llm_server: Any) -> None:
    texts = [f"a{i}" for i in range(MAX_BATCH_TEXTS + 1)]
    assert len(OpenAIEmbedder(MODEL).embed(texts).calls) == 2
    assert [len(request.body["input"]) for request in llm_server.received] == [MAX_BATCH_TEXTS, 1]


def test_the_baseline_ranks_with_it_and_reports_its_calls(llm_server: Any) -> None:
    selection = make_retriever("embedding-50", model=MODEL).select(Query("ddd", PAGE))
    kept = [PAGE.line(number).name for number in selection.ranges]
    assert sum("d" * 20 in name for name in kept) >= 10
    assert selection.calls
    assert all(call.cost for call in selection.calls)


def test_passing_failures_are_retried(llm_server: Any) -> None:
    llm_server.then(llm_server.status(500), llm_server.ok())
    (call,) = OpenAIEmbedder(MODEL).embed(["a"]).calls
    assert call.retries == 1


def test_what_no_retry_mends_is_a_fallback(llm_server: Any) -> None:
    llm_server.always = llm_server.status(401)
    with pytest.raises(ModelError):
        OpenAIEmbedder(MODEL).embed(["a"])
    selection = make_retriever("embedding-50", model=MODEL).select(Query("ddd", PAGE))
    assert selection.fallback is Fallback.AUTH
    assert not selection.ranges
    assert [call.error for call in selection.calls]


def test_an_unknown_model_has_no_price(llm_server: Any) -> None:
    (call,) = OpenAIEmbedder("some-embedder").embed(["a"]).calls
    assert call.cost is None


def test_what_was_paid_before_a_failure_is_reported_and_not_asked_again(llm_server: Any) -> None:
    texts = [f"a{i}" for i in range(MAX_BATCH_TEXTS + 1)]
    embedder = OpenAIEmbedder(MODEL)
    llm_server.then(llm_server.ok(), llm_server.status(401))
    with pytest.raises(ModelError) as raised:
        embedder.embed(texts)
    first, second = raised.value.calls
    assert (bool(first.cost), first.error, second.cost, bool(second.error)) == (True, "", 0.0, True)
    (call,) = embedder.embed(texts).calls
    assert "1 texts" in call.label


@pytest.mark.parametrize("usage", [None, {}, [], "x", -1, {"prompt_tokens": None}, {"prompt_tokens": {"n": 1}}])
def test_damaged_figures_lose_no_vector(llm_server: Any, usage: Any) -> None:
    row = {"object": "embedding", "index": 0, "embedding": [1.0, 0.0]}
    llm_server.then(llm_server.body({"object": "list", "data": [row], "usage": usage}))
    embedded = OpenAIEmbedder(MODEL).embed(["a"])
    assert embedded.vectors.shape == (1, 2)
    assert (embedded.calls[0].cost, embedded.calls[0].estimated) == (None, True)


@pytest.mark.parametrize("data", [None, [], [{"index": 7, "embedding": [1.0]}], [{"index": 0}], "x", [{"index": "a"}]])
def test_a_reply_without_vectors_is_a_failure_that_was_paid_for(llm_server: Any, data: Any) -> None:
    llm_server.always = llm_server.body({"data": data, "usage": {"prompt_tokens": 1000}})
    with pytest.raises(ModelError, match="no embeddings") as raised:
        OpenAIEmbedder(MODEL).embed(["a"])
    assert len(llm_server.received) == 1, "it is not paid for twice"
    assert raised.value.call is not None
    assert raised.value.call.cost
