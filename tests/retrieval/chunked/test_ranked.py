"""The BM25 and embedding baselines against naive versions; what happens where there is nothing to rank."""

from __future__ import annotations

import math
import random
import re
from collections import Counter

import numpy as np
import pytest

from focusagent.axtree import AxTree, LineRanges
from focusagent.focuser import Focuser
from focusagent.retrieval import Query, make_retriever
from focusagent.retrieval.chunked.bm25 import BM25Ranker, goal_and_actions
from focusagent.retrieval.chunked.chunks import token_windows
from focusagent.retrieval.chunked.embedders import StaticEmbedder
from focusagent.retrieval.chunked.embedding import EmbeddingRanker, goal_and_interactions
from focusagent.retrieval.chunked.ranked import TOP

NOUNS = "laptop tablet phone cable charger monitor keyboard stand camera printer".split()


def page(lines: int, seed: int = 0) -> AxTree:
    dice = random.Random(seed)
    rows = (f"\t[{i}] link '{dice.choice(NOUNS)} {dice.choice(NOUNS)} number {i}'" for i in range(lines))
    return AxTree.parse("RootWebArea 'Shop'\n" + "\n".join(rows))


def naive_bm25(query: str, texts: list[str], k1: float = 1.5, b: float = 0.75) -> list[float]:
    """Lucene's BM25 as its authors write it, over words of at least two letters."""
    from bm25s.stopwords import STOPWORDS_EN

    def terms(text: str) -> list[str]:
        return [word for word in re.findall(r"\b\w\w+\b", text.lower()) if word not in STOPWORDS_EN]

    documents = [Counter(terms(text)) for text in texts]
    mean = sum(sum(document.values()) for document in documents) / len(documents)
    scores = [0.0] * len(texts)
    for term in terms(query):
        holding = sum(term in document for document in documents)
        idf = math.log(1 + (len(documents) - holding + 0.5) / (holding + 0.5))
        for index, document in enumerate(documents):
            frequency, length = document[term], sum(document.values())
            scores[index] += idf * frequency / (frequency + k1 * (1 - b + b * length / mean)) if frequency else 0.0
    return scores


def test_bm25_scores_are_those_of_the_formula() -> None:
    texts = [chunk.text for chunk in token_windows(page(120), 50)]
    query = "order a laptop with a charger, laptop stand"
    assert BM25Ranker().rank(query, texts).scores == pytest.approx(naive_bm25(query, texts), rel=1e-5, abs=1e-6)


def test_embedding_scores_are_cosines_of_mean_vectors() -> None:
    texts = ["a laptop", "monitor and keyboard", ""]
    vectors = StaticEmbedder().embed(["cheap laptop", *texts]).vectors.astype(np.float64)
    norms = [math.sqrt(float(vector @ vector)) for vector in vectors]
    assert norms == pytest.approx([1, 1, 1, 0], abs=1e-5)
    assert EmbeddingRanker(StaticEmbedder()).rank("cheap laptop", texts).scores == pytest.approx(
        [float(vectors[0] @ vector) for vector in vectors[1:]], abs=1e-5
    )


@pytest.mark.parametrize("name", ["bm25-50", "embedding-50"])
def test_the_ten_best_windows_are_shown_best_first(name: str) -> None:
    tree, goal = page(200), "the camera printer"
    windows = token_windows(tree, 50)
    ranker = BM25Ranker() if name.startswith("bm25") else EmbeddingRanker(StaticEmbedder())
    scores = ranker.rank(goal, [window.text for window in windows]).scores
    best = sorted(range(len(windows)), key=lambda index: (-scores[index], index))[:TOP]
    selection = make_retriever(name).select(Query(goal, tree))
    assert selection.text == "\n\n".join(f"Chunk {i}:\n{windows[index].text}" for i, index in enumerate(best))
    assert selection.ranges == LineRanges().union(*(windows[index].whole for index in best))


def test_the_observation_is_the_chunks_and_a_cut_line_is_not_covered() -> None:
    tree, goal = page(300), "the camera printer"
    focused = Focuser(make_retriever("bm25-200"), simplify=False, skip_below=0).focus(tree.text, goal)
    assert focused.text == focused.selection.text
    assert focused.tokens_pruned <= 2_100
    assert all(tree.line(number).text in focused.text for number in focused.ranges)
    assert focused.ranges.union(focused.removed) == LineRanges.all(len(tree))
    begun = [number for number in focused.removed if tree.line(number).text[:12] in focused.text]
    assert begun, "no line was cut: the page is no test of that"


def test_chunks_that_hold_no_whole_line_are_shown_all_the_same() -> None:
    text = "RootWebArea 'x'\n\t[1] paragraph '" + "laptop stand and charger " * 400 + "'"
    focused = Focuser(make_retriever("bm25-50"), simplify=False, skip_below=0).focus(text, "charger")
    assert focused.selection.fallback is None
    assert focused.tokens_pruned < focused.tokens_full / 2


@pytest.mark.parametrize("name", ["bm25-200", "embedding-200", "bm25-lines", "embedding-lines"])
@pytest.mark.parametrize("text", ["", "RootWebArea ''", "RootWebArea ''\n\t[1] button 'Go'"])
def test_a_page_of_few_chunks_is_kept_whole(name: str, text: str) -> None:
    tree = AxTree.parse(text)
    assert make_retriever(name).select(Query("anything", tree)).ranges == LineRanges.all(len(tree))


@pytest.mark.parametrize("goal", ["", "zzz qqq", "the of and"])
def test_without_a_match_the_first_chunks_are_kept(goal: str) -> None:
    ranges = make_retriever("bm25-50").select(Query(goal, page(300))).ranges
    windows = token_windows(page(300), 50)
    assert ranges == LineRanges().union(*(window.whole for window in windows[:TOP]))


def test_what_each_baseline_asks_for() -> None:
    query = Query("buy it", page(3), history=(("I look", "click('1')"), ("then", "noop()")))
    assert goal_and_actions(query) == "buy it\nclick('1')\nnoop()"
    assert goal_and_interactions(query) == "buy it\nI look\nclick('1')\nthen\nnoop()"


@pytest.mark.parametrize("kind", ["bm25", "embedding"])
def test_coverage_falls_as_chunks_shrink(kind: str) -> None:
    """With ten chunks, smaller ones lose the needed element more often. The paper measures no coverage."""
    kept = []
    for size in (50, 100, 200, 400):
        retriever = make_retriever(f"{kind}-{size}")
        found = 0
        for seed in range(8):
            tree = page(250, seed)
            target = tree.line(20 + 25 * seed)
            found += target.number in retriever.select(Query(target.name.rsplit(" ", 2)[0], tree)).ranges
        kept.append(found)
    assert kept == sorted(kept)
    assert kept[0] < kept[-1]


@pytest.mark.parametrize("name", ["bm25-50", "bm25-lines", "embedding-50"])
def test_only_lines_within_are_chosen(name: str) -> None:
    within = LineRanges.of([(10, 30), (90, 200)])
    assert not make_retriever(name).select(Query("laptop", page(250), within=within)).ranges.difference(within)


def test_subtree_chunks_come_below_the_named_lines_that_hold_them() -> None:
    items = "\n".join(f"\t\t[{i}] link 'thing {i}'" for i in range(400))
    tree = AxTree.parse(f"RootWebArea 'Shop'\n\t[a] region 'Results'\n{items}\n\t\t[z] button 'Checkout now'")
    ranges = make_retriever("bm25-lines", size=50).select(Query("checkout now", tree)).ranges
    assert {1, 2, len(tree)} <= set(ranges)


def test_scripts_without_spaces_are_segmented_by_ours_and_a_query_without_a_match_is_noted() -> None:
    lines = [f"\t[{n}] link '商品{n}番の説明をここに書きます。長い文章です。'" for n in range(400)]
    lines[300] = "\t[300] link '返品の送料は無料です'"
    tree = AxTree.parse("\n".join(["RootWebArea '店'", *lines]))
    ours, papers = (
        make_retriever(name).select(Query("返品の送料はいくらですか", tree)) for name in ("bm25-lines", "bm25-200")
    )
    assert 302 in ours.ranges
    assert not ours.notes
    assert "no word of the query" in papers.notes[0]
