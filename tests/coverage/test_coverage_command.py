"""`focusagent coverage` as a user calls it."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from focusagent.cli import app
from focusagent.errors import UserError

KEYS = {
    "steps",
    "coverage",
    "coverage_clean",
    "coverage_context",
    "coverage_answer",
    "pruning_mean",
    "pruning_total",
    "ms_median",
}


def page(target: int) -> str:
    rows = (f"\t\t[{i}] link 'Entry number {i}', url='http://s.test/{'long/' * 9}{i}'" for i in range(150))
    return (
        "RootWebArea 'List', url='http://s.test/'\n\t[m] main 'Entries'\n"
        + "\n".join(rows)
        + f"\n\tStaticText '#{target}'"
    )


@pytest.fixture
def steps(tmp_path: Path) -> Path:
    records: list[dict[str, Any]] = [
        {
            "goal": f"open entry number {target}",
            "axtree": page(target),
            "target_id": str(target),
            "action": f"click('{target}')",
            "task_id": f"list.open{target % 2}__seed{target}",
            "outcome": "success" if target < 100 else "failure",
        }
        for target in (3, 77, 120, 149)
    ]
    records.append({"goal": "which number?", "axtree": page(5), "target_texts": ["#5"], "task_id": "list.ask"})
    path = tmp_path / "steps.jsonl"
    path.write_text("\n".join(map(json.dumps, records)))
    return path


def coverage(*arguments: object) -> str:
    result = CliRunner().invoke(app, ["coverage", *map(str, arguments)], catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout


def figures(*arguments: object) -> dict[str, dict[str, Any]]:
    retrievers: dict[str, dict[str, Any]] = json.loads(coverage(*arguments, "--json"))["retrievers"]
    assert all(set(figure) == KEYS for figure in retrievers.values())
    return retrievers


def test_json_of_controls_and_local(steps: Path) -> None:
    names = ("all", "roles", "simplify", "first-5k", "local")
    found = figures(steps, *(part for name in names for part in ("--retriever", name)))
    assert list(found) == list(names)
    assert found["all"]["coverage"] == found["all"]["coverage_answer"] == 1
    assert found["all"]["pruning_mean"] == 0
    assert found["simplify"]["coverage_context"] == 1
    assert found["simplify"]["pruning_mean"] > 0.15
    assert found["roles"]["coverage"] == 1
    assert found["roles"]["coverage_context"] == 0
    assert found["roles"]["coverage_answer"] == 0
    assert found["local"]["steps"] == 5
    assert found["local"]["coverage_context"] == 1
    assert found["local"]["pruning_mean"] > found["simplify"]["pruning_mean"]


def test_what_no_step_can_tell_is_null(steps: Path, tmp_path: Path) -> None:
    only = tmp_path / "answers.jsonl"
    only.write_text(steps.read_text().split("\n")[-1])
    assert figures(only, "--retriever", "all")["all"]["coverage"] is None


def test_simplification_is_switched_for_those_that_allow_it(steps: Path) -> None:
    plain = figures(steps, "--retriever", "bids", "--retriever", "bm25-50", "--no-simplify")
    short = figures(steps, "--retriever", "bids", "--retriever", "bm25-50")
    assert short["bids"]["pruning_mean"] > plain["bids"]["pruning_mean"]
    assert short["bm25-50"]["pruning_mean"] == plain["bm25-50"]["pruning_mean"]


def test_the_action_reaches_no_retriever(steps: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare.jsonl"
    records = [json.loads(line) for line in steps.read_text().split("\n")]
    bare.write_text("\n".join(json.dumps(record | {"action": "click('0')"}) for record in records))
    with_action, without = (figures(path, "--retriever", "local")["local"] for path in (steps, bare))
    assert with_action | {"ms_median": 0} == without | {"ms_median": 0}


def test_files_and_groups(steps: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    printed = coverage(steps, "--retriever", "local", "--retriever", "bm25-50", "--out", out)
    assert printed == (out / "coverage.md").read_text()
    assert "0 of 4 missed" in printed
    rows = list(csv.DictReader((out / "coverage.csv").open()))
    assert {(row["retriever"], row["group"]) for row in rows} == {
        (name, group) for name in ("local", "bm25-50") for group in ("all", "up to 10k tokens")
    }
    assert rows[0]["coverage_n"] == "4"
    assert float(rows[0]["coverage_low"]) < float(rows[0]["coverage"])
    assert (out / "coverage.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (out / "coverage.svg").read_text()


def test_a_limit(steps: Path) -> None:
    assert figures(steps, "--retriever", "all", "--limit", 2)["all"]["steps"] == 2


def test_a_model_is_measured_within_a_cost_and_from_a_cache(steps: Path, tmp_path: Path, llm_server: Any) -> None:
    llm_server.answer = "<answer>[(1, 200)]</answer>"
    asked = (steps, "--retriever", "llm", "--model", "gpt-4.1-mini", "--cache", tmp_path / "cache")
    found = figures(*asked)["llm"]
    assert found["coverage_context"] == 1
    assert found["steps"] == len(llm_server.received) == 5
    assert figures(*asked)["llm"]["coverage"] == 1
    assert len(llm_server.received) == 5
    spent = figures(steps, "--retriever", "llm", "--model", "gpt-4.1-mini", "--max-cost", 0.000001)["llm"]
    assert spent["steps"] == 1


def test_local_and_model_together(steps: Path, llm_server: Any) -> None:
    llm_server.answer = "<answer>[(2, 2)]</answer>"
    found = figures(steps, "--retriever", "local+llm", "--model", "gpt-4.1-mini", "--limit", 1)["local+llm"]
    assert found["coverage"] == 0
    assert found["pruning_mean"] > 0.9
    (request,) = llm_server.received
    assert "Entry number 3'" in request.prompt
    assert request.prompt.count("Entry number") < 150


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["nowhere.jsonl"], 2, "no such file or folder"),
        (["STEPS", "--retriever", "lokal"], 2, "did you mean 'local'"),
        (["STEPS", "--retriever", "llm"], 2, "needs --model"),
        (["STEPS", "--retriever", "llm", "--model", "no-such-model"], 2, "unknown model"),
        (["STEPS", "--retriever", "bids", "--out", "STEPS"], 1, "cannot write to"),
    ],
)
def test_failures_are_one_line(steps: Path, no_keys: None, arguments: list[str], code: int, said: str) -> None:
    named = [str(steps) if argument == "STEPS" else argument for argument in arguments]
    with pytest.raises(UserError, match=said) as error:
        coverage(*named)
    assert error.value.exit_code == code
    assert "\n" not in str(error.value)
