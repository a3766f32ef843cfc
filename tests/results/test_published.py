from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from focusagent.results.paper_tables import paper_table
from focusagent.results.published import NOT_QUOTED, find, published, quoted

L1 = {"benchmark": "workarena_l1", "backbone": "gpt-4.1", "table": "1"}


def test_the_page_is_the_data() -> None:
    root = Path(__file__).parents[2]
    program = runpy.run_path(str(root / "experiments" / "numbers_page.py"))
    page = (root / "docs" / "measured" / "published.md").read_text(encoding="utf-8")
    assert page == program["numbers_page"]()


def test_no_figure_is_given_twice() -> None:
    keys = [
        (r.version, r.table, r.benchmark, r.backbone, r.agent, r.retriever_model, r.attack, r.figure)
        for r in published()
    ]
    assert len(keys) == len(set(keys))


# typed from the papers a second time, independently of the data file
@pytest.mark.parametrize(
    ("version", "agent", "model", "success", "pruning", "backbone", "retriever"),
    [
        ("v1", "generic-bt", "", 53.0, 0, None, None),
        ("v1", "generic-bt-5k", "", 41.8, 46, None, None),
        ("v1", "embedding-200", "text-embedding-3-small", 40.3, 54, None, None),
        ("v1", "bm25-200", "", 40.6, 56, None, None),
        ("v1", "focus", "gpt-4.1-mini", 51.5, 51, None, None),
        ("v1", "focus", "gpt-5-mini", 51.8, 61, None, None),
        ("v2", "generic-bt", "", 53.6, 0, 55.6, None),
        ("v2", "generic-bt-5k", "", 44.5, 44, 28.3, None),
        ("v2", "embedding-200", "text-embedding-3-large", 42.4, 54, 24.7, 0.9),
        ("v2", "embedding-200", "qwen3-embed-8b", 44.8, 54, 24.1, None),
        ("v2", "embedding-400", "text-embedding-3-large", 46.4, 31, 34.8, 1.4),
        ("v2", "embedding-400", "qwen3-embed-8b", 53.0, 30, 32.0, None),
        ("v2", "bm25-200", "", 45.8, 56, 23.3, None),
        ("v2", "bm25-400", "", 53.3, 32, 34.3, None),
        ("v2", "focus", "gpt-4.1-mini", 51.5, 56, 33.8, 11.3),
        ("v2", "focus", "gpt-5-mini", 53.2, 61, 26.7, 11.4),
        ("v2", "focus", "qwen3-8b", 43.9, 60, 32.0, 1.4),
        ("v2", "focus", "qwen3.5-9b", 48.8, 63, 27.1, 0),
        ("v2", "focus", "qwen3-235b-a22b", 51.5, 58, 28.4, 0),
    ],
)
def test_table_1(
    version: str,
    agent: str,
    model: str,
    success: float,
    pruning: float,
    backbone: float | None,
    retriever: float | None,
) -> None:
    given = {"success": success, "pruning": pruning, "cost": backbone, "cost_retriever": retriever}
    for figure, value in given.items():
        row = find(figure, (version,), agent=agent, retriever_model=model, **L1)
        assert (row.value if row else None) == value


@pytest.mark.parametrize(
    ("attack", "agent", "asr", "tsr"),
    [
        ("none", "generic-bt", [None] * 3, [51.8, 61.4, 9.6]),
        ("none", "generic-guard", [None] * 3, [46.5, 55.3, None]),
        ("none", "defense-generic", [None] * 3, [50.9, 58.8, 13.2]),
        ("none", "defense-focus-paper", [None] * 3, [51.8, 61.4, 12.4]),
        ("banner", "generic-bt", [32.4, 10.5, 100], [34.8, 55.2, 0]),
        ("banner", "defense-generic", [32.1, 0, 96.9], [39.2, 49.0, 2.6]),
        ("banner", "defense-focus-paper", [0.9, 2.6, 1.0], [42.1, 51.8, 8.8]),
        ("popup", "generic-bt", [90.4, 81.6, 100], [0, 2.6, 0]),
        ("popup", "defense-generic", [73.4, 0, 100], [0.8, 20.2, 0]),
        ("popup", "defense-focus-paper", [1.0, 0.9, 4.6], [2.0, 1.8, 0.9]),
        ("goal-drift", "generic-bt", [66.4, None, 97.4], [5.3, None, 0.9]),
        ("goal-drift", "generic-guard", [0, None, 0], [0, None, 0]),
        ("goal-drift", "defense-generic", [44.7, None, 56.1], [33.6, None, 4.1]),
        ("goal-drift", "defense-focus-paper", [0.9, None, 1.0], [47.4, None, 9.6]),
    ],
)
def test_table_3(attack: str, agent: str, asr: list[float | None], tsr: list[float | None]) -> None:
    for index, backbone in enumerate(("gpt-4.1", "claude-3.7-sonnet", "qwen3-235b-a22b")):
        for figure, values in (("asr", asr), ("tsr", tsr)):
            row = find(figure, table="3", attack=attack, agent=agent, backbone=backbone)
            assert (row.value if row else None) == values[index]


@pytest.mark.parametrize(
    ("backbone", "agent", "model", "workarena", "webarena"),
    [
        ("gpt-4.1", "generic-bt", "", (53.6, 0, 55.6), (36.5, 2, 59.0)),
        ("gpt-4.1", "generic-bt-5k", "", (44.5, 44, 28.3), (29.1, 38, 43.5)),
        ("gpt-4.1", "focus", "gpt-4.1-mini", (51.5, 51, 45.1), (32.3, 59, 44.0)),
        ("gpt-4.1", "focus", "gpt-5-mini", (53.2, 61, 38.1), (39.6, 53, 46.2)),
        ("claude-3.7-sonnet", "generic-bt", "", (56.7, 0, 55.4), (44.6, 2, 58.2)),
        ("claude-3.7-sonnet", "focus", "gpt-4.1-mini", (52.7, 50, 46.9), (39.9, 51, 42.6)),
        ("qwen3-235b-a22b", "generic-bt", "", (27.0, 0, None), (22.0, 4, None)),
        ("qwen3-235b-a22b", "focus", "gpt-4.1-mini", (33.9, 58, None), (22.0, 63, None)),
        ("qwen3-235b-a22b", "focus", "gpt-5-mini", (38.2, 59, None), (21.8, 63, None)),
        ("qwen3-235b-a22b", "focus", "qwen3.5-9b", (34.2, 63, None), (None, None, None)),
    ],
)
def test_table_2(
    backbone: str, agent: str, model: str, workarena: tuple[float, ...], webarena: tuple[float, ...]
) -> None:
    for benchmark, values in (("workarena_l1", workarena), ("webarena", webarena)):
        where = {"benchmark": benchmark, "backbone": backbone, "agent": agent, "retriever_model": model, "table": "2"}
        for figure, value in zip(("success", "pruning", "cost_total"), values, strict=True):
            row = find(figure, ("v2",), **where)
            assert (row.value if row else None) == value


def test_what_is_not_given_is_not_quoted() -> None:
    assert quoted("success", agent="focus-neutral", benchmark="workarena_l1") == NOT_QUOTED
    assert quoted("success", agent="focus-history", table="4a") == "45.6 (s) [v1]"


# typed a second time as well: v1's standard errors and pruning on WebArena, and what v1's Table 3 is quoted with
@pytest.mark.parametrize(
    ("benchmark", "backbone", "agent", "model", "success", "error", "pruning"),
    [
        ("webarena", "gpt-4.1", "generic-bt", "", 36.5, 2.5, 2),
        ("webarena", "claude-3.7-sonnet", "generic-bt", "", 44.6, 2.5, 2),
        ("webarena", "gpt-4.1", "generic-bt-5k", "", 29.1, 2.3, 38),
        ("webarena", "gpt-4.1", "focus", "gpt-4.1-mini", 32.3, 2.4, 59),
        ("webarena", "claude-3.7-sonnet", "focus", "gpt-4.1-mini", 39.9, 2.5, 51),
        ("webarena", "gpt-4.1-mini", "generic-bt", "", 31.3, 2.5, 2),
        ("workarena_l1", "claude-3.7-sonnet", "generic-bt", "", 56.7, 2.7, 0),
        ("workarena_l1", "claude-3.7-sonnet", "focus", "gpt-4.1-mini", 52.7, 2.7, 50),
        ("workarena_l1", "gpt-4.1-mini", "generic-bt", "", 47.9, 2.7, 0),
    ],
)
def test_the_first_versions_standard_errors(
    benchmark: str, backbone: str, agent: str, model: str, success: float, error: float, pruning: float
) -> None:
    where = {"benchmark": benchmark, "backbone": backbone, "agent": agent, "retriever_model": model}
    row, pruned = find("success", ("v1",), **where), find("pruning", ("v1",), **where)
    assert row is not None
    assert pruned is not None
    assert (row.value, row.error, pruned.value) == (success, error, pruning)


def test_the_first_versions_attacks_are_marked_as_secondary() -> None:
    rows = [row for row in published() if (row.version, row.table) == ("v1", "3")]
    quotes = {(row.attack, row.agent, row.figure): row for row in rows}
    assert {key: row.value for key, row in quotes.items()} == {
        ("banner", "generic-bt", "asr"): 32.4,
        ("banner", "defense-focus-paper", "asr"): 0.9,
        ("banner", "defense-focus-paper", "tsr"): 42.1,
        ("popup", "generic-bt", "asr"): 90.4,
        ("popup", "defense-focus-paper", "asr"): 1.0,
        ("popup", "defense-focus-paper", "tsr"): 2.0,
    }
    assert all(row.secondary for row in quotes.values())


def test_a_table_shows_its_own_figure_where_two_differ() -> None:
    def pruning(number: str) -> object:
        table = paper_table(number)
        (row,) = [r for r in table.rows if r[:4] == ("workarena_l1", "gpt-4.1", "focus", "gpt-4.1-mini")]
        return row[table.columns.index("pruning v2")]

    assert (pruning("1"), pruning("2")) == ("56", "51")
