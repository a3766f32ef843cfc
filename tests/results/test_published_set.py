"""What may be called a table of the papers: only every row on the published episodes."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest

from focusagent.results.clusters import cluster_steps
from focusagent.results.frames import Results
from focusagent.results.paper_tables import TITLES, expected_rows, paper_table
from focusagent.results.published_set import PUBLISHED, Extent, extent_of, judge_table
from focusagent.results.step_figures import focus_episodes


def episodes(
    benchmark: str, name: str = "focus", backbone: str = "gpt-4.1", model: str = "gpt-4.1-mini"
) -> pd.DataFrame:
    """The published episodes of one row as a frame of results."""
    published = PUBLISHED[benchmark]
    rows = []
    for task in range(published.tasks):
        for seed in range(published.seeds):
            site = ".reddit" if benchmark == "webarena_reddit" else ""
            rows.append(
                {
                    "id": f"{name}{model}{task}-{seed}",
                    "agent": f"{name}__{backbone}__{model}",
                    "name": name,
                    "backbone": backbone,
                    "retriever_model": model,
                    "task": f"{benchmark.partition('_')[0]}.{task}",
                    "template": f"t{task}",
                    "kind": f"shopping{site}",
                    "benchmark": benchmark.partition("_")[0],
                    "seed": seed,
                    "attacks": "",
                    "max_steps": float(published.steps[0]),
                    "success": 1.0,
                    "status": "done",
                }
            )
    return pd.DataFrame(rows)


@pytest.mark.parametrize("benchmark", PUBLISHED)
def test_the_published_episodes_lack_nothing(benchmark: str) -> None:
    frame = episodes(benchmark)
    assert extent_of(frame) == PUBLISHED[benchmark]
    assert extent_of(pd.concat([frame, frame])) == PUBLISHED[benchmark]
    assert extent_of(frame).lacks(PUBLISHED[benchmark]) == ""


def test_what_is_missing_is_said() -> None:
    frame, published = episodes("workarena_l1"), PUBLISHED["workarena_l1"]
    assert extent_of(frame[frame["seed"] < 4]).lacks(published) == "132 of 330 episodes, 4 of 10 seeds"
    assert extent_of(frame[frame["task"] != "workarena.0"]).lacks(published) == "320 of 330 episodes, 32 of 33 tasks"
    assert extent_of(frame.assign(max_steps=20.0)).lacks(published) == "step limit 20, not 15"
    assert extent_of(frame.assign(success=float("nan"))).lacks(published).startswith("0 of 330 episodes")
    assert "step limit unknown" in extent_of(frame.assign(max_steps=float("nan"))).lacks(published)


def test_only_a_whole_set_is_called_the_table() -> None:
    title = "Table 9: colours"
    assert judge_table(title, {"a": "", "b": ""}).title == title
    assert judge_table(title, {"a": None, "b": None}).title == "Table 9 as published: colours"
    for rows in ({"a": "", "b": None}, {"a": "", "b": "3 of 9 episodes"}):
        verdict = judge_table(title, rows)
        assert verdict.title == "Rows of Table 9, measured in part: colours"
        assert verdict.remark.startswith("This is not Table 9: 1 of its 2 rows")
    assert "b (3 of 9 episodes)" in verdict.remark


def _steps(frame: pd.DataFrame) -> pd.DataFrame:
    columns = {
        "asked": 1,
        "axtree_tokens_full": 900.0,
        "axtree_tokens_shown": 500.0,
        "pruning": 0.4,
        "input_tokens": 9.0,
    }
    steps = frame[["id", "agent", "task"]].assign(step=0, **columns)
    for name in (
        "backbone_input_tokens",
        "retriever_input_tokens",
        "step_elapsed",
        "retriever_seconds",
        "agent_elapsed",
    ):
        steps[name] = 0.0
    return steps.assign(fallback="", skip="", output_tokens=0.0, action="")


def test_all_rows_of_a_table_on_the_published_episodes_make_it_the_table(tmp_path: object) -> None:
    rows = expected_rows("4b")
    frame = pd.concat([episodes("workarena_l1", agent, backbone, model) for _, _, backbone, agent, model in rows])
    frame = frame.assign(cost=1.0, cost_unknown=0.0)
    whole = paper_table("4b", Results(tmp_path, frame, _steps(frame)))  # type: ignore[arg-type]
    assert whole.title == TITLES["4b"]
    assert {row[-1] for row in whole.rows} == {"all"}
    less = frame[frame["name"] != "focus-keep-bid"]
    part = paper_table("4b", Results(tmp_path, less, _steps(less)))  # type: ignore[arg-type]
    assert part.title.startswith("Rows of Table 4b")
    assert "Not measured: focus-keep-bid gpt-4.1" in part.notes[0]


def test_table_7_is_focus_agent_with_the_papers_retriever_on_all_of_webarena(tmp_path: object) -> None:
    frame = pd.concat([episodes("webarena"), episodes("webarena", model="gpt-5-mini")])
    chosen = focus_episodes(Results(tmp_path, frame, pd.DataFrame()))  # type: ignore[arg-type]
    assert set(chosen["retriever_model"]) == {"gpt-4.1-mini"}
    steps = _steps(chosen)
    assert cluster_steps(steps, "x", "x", "").table.title == "Table 7, clusters of steps: x"
    for lack in ("9 of 381 episodes", None):
        table = cluster_steps(steps, "x", "x", lack).table
        assert "Table 7" not in table.title
        assert table.notes[0].startswith("This is not Table 7")
    assert table.columns[-1] == "sites"


def test_an_extent_compares_step_limits_as_a_whole() -> None:
    published = PUBLISHED["webarena"]
    assert replace(published, steps=(15, 30)).lacks(published) == "step limit 15 or 30, not 30"
    assert Extent(400, 381, 2, (30,)).lacks(published) == ""
