from __future__ import annotations

import csv
import pickle
import re
import runpy
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from focusagent.cli import app
from focusagent.errors import UserError
from focusagent.results import load_results
from focusagent.results.drawing import style
from focusagent.results.examples import example_sections
from focusagent.results.paper_tables import paper_table
from focusagent.results.pricing import listed_price, pays_from, replay
from focusagent.results.report import Block, Section, render, write_report
from focusagent.results.summary import summarise
from focusagent.results.table import cell_text
from focusagent.results.tables import measured_tables

EXPERIMENTS = Path(__file__).parents[2] / "experiments"
Write = Callable[..., Path]


def _step(shown: int, llm: bool = True) -> dict[str, Any]:
    return {
        "axtree_tokens_full": 1000,
        "axtree_tokens_pruned": shown,
        "input_tokens": shown + (1100 if llm else 0),
        "output_tokens": 100,
        "retriever_calls": int(llm),
        "retriever_input_tokens": 1100 if llm else 0,
        "backbone_input_tokens": shown,
        "cost": 0.01,
        "retriever_cost_unknown": 0,
        "backbone_cost_unknown": 0,
        "sanitized_lines": 1,
    }


@pytest.fixture
def recorded(tmp_path: Path, write: Write) -> Path:
    """Language models on WorkArena and a script on LongPage, two tasks each."""
    for index, task in enumerate(("workarena.servicenow.sort-user-list", "workarena.servicenow.filter-user-list")):
        write(agent="generic-bt__gpt-4.1", task=task, stats=[_step(1000, llm=False)] * 2)
        write(agent="focus__gpt-4.1__gpt-4.1-mini", task=task, reward=float(index), stats=[_step(400), _step(300)])
    for agent, shown in (("generic-bt__scripted", 1000), ("focus-local__scripted", 200)):
        for size in ("1k", "8k"):
            task = f"longpage.forum.vote.{size}"
            write("2026-01-01_10-00-00_b", agent=agent, task=task, stats=[_step(shown, False)])
    return tmp_path


def test_scripts_and_models_never_share_a_table(recorded: Path) -> None:
    for table in measured_tables(load_results(recorded)):
        cells = " ".join(str(cell) for row in table.rows for cell in row)
        assert not ("scripted" in cells and "gpt" in cells)
        if "scripted" in cells:
            assert any("instrument" in note for note in table.notes)


def test_papers_tables_hold_what_models_reached_and_never_a_script(recorded: Path) -> None:
    table = paper_table("1", load_results(recorded))
    measured = {row[2]: row[-3:] for row in table.rows if row[-2] != "-"}
    lacking = "2 of 330 episodes, 2 of 33 tasks, 1 of 10 seeds"
    assert measured == {
        "generic-bt": ("100.0 ±0.0 @ 0", "2", lacking),
        "focus": ("50.0 ±50.0 @ 65", "2", lacking),
    }
    assert table.title == "Rows of Table 1, measured in part: retrievers on WorkArena L1"
    assert table.notes[0].startswith(
        "This is not Table 1: 0 of its 14 rows were measured whole. In part: generic-bt gpt-4.1"
    )
    assert all("scripted" not in str(cell) for row in table.rows for cell in row)


def test_every_table_has_its_csv_and_every_figure_its_data(recorded: Path, tmp_path: Path) -> None:
    made = write_report(recorded, tmp_path / "out", example_sections(recorded))
    assert len(list(made.folder.glob("*.png"))) == len(list(made.folder.glob("*.svg"))) == made.figures
    assert len(list(made.folder.glob("*.csv"))) == made.tables + made.figures
    with (made.folder / "agents_workarena_llm.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["solved"] for row in rows] == ["2", "1"]
    assert [float(row["pruning %"]) for row in rows] == [0, 65]


def test_the_page_asks_no_network_and_escapes_what_pages_say(recorded: Path, tmp_path: Path) -> None:
    hostile = Section(
        "x", "<script>a</script>", blocks=(Block("</pre>", "<img src=http://evil.test onerror=x>\ud800"),)
    )
    page = write_report(recorded, tmp_path / "out", [hostile]).page.read_text(encoding="utf-8")
    assert "<img src=http" not in page
    assert "<script>a" not in page
    assert not re.search(r"(?:src|href)=[\"'](?!#|data:)", page)


def test_two_reports_of_the_same_results_are_the_same(recorded: Path, tmp_path: Path) -> None:
    one, two = (write_report(recorded, tmp_path / name) for name in ("one", "two"))
    assert one.page.read_bytes() == two.page.read_bytes()


@pytest.mark.parametrize("kind", ["nothing", "one", "errors"])
def test_thin_studies_make_a_report_too(tmp_path: Path, write: Write, kind: str) -> None:
    if kind == "one":
        write(agent="focus-local__scripted", stats=[_step(10, False)])
    if kind == "errors":
        write(agent="GenericAgent-x", task="miniwob.click-test", stats=[], error="a\nTimeoutError:\npage")
        write(agent="GenericAgent-x", task="miniwob.click-test", seed=1, stats=[], error="a\nTimeoutError:\npage")
    made = write_report(tmp_path, tmp_path / "out")
    text = made.page.read_text(encoding="utf-8")
    assert "Published figures" in text
    if kind == "errors":
        assert "TimeoutError: page" in text


@pytest.mark.parametrize(("name", "code", "said"), [("", 1, "holds no episode"), ("none", 2, "no folder")])
def test_without_an_episode_the_command_says_so(tmp_path: Path, name: str, code: int, said: str) -> None:
    with pytest.raises(UserError, match=said) as caught:
        CliRunner().invoke(app, ["report", str(tmp_path / name)], catch_exceptions=False)
    assert caught.value.exit_code == code


def test_damage_is_said_on_the_page(recorded: Path, tmp_path: Path) -> None:
    path = next(recorded.glob("*/*/step_0.pkl.gz"))
    path.write_bytes(path.read_bytes()[:30])
    made = write_report(recorded, tmp_path / "out")
    assert made.left_out == 1
    assert "cut short" in made.page.read_text(encoding="utf-8")


def test_recorded_tokens_are_priced_by_any_list(recorded: Path) -> None:
    results = load_results(recorded)
    ids = results.episodes["id"][results.episodes["name"] == "focus"]
    steps = results.where(ids).steps
    backbone, retriever = listed_price("gpt-4.1"), listed_price("gpt-4.1-mini")
    assert replay(steps, backbone, retriever) == pytest.approx(1400 * 2e-6 + 400 * 8e-6 + 4400 * 0.4e-6)
    assert pays_from(steps, backbone, retriever) == pytest.approx(4400 * 0.4 / (4000 * 2))
    assert replay(steps, None, retriever) != replay(steps, None, retriever)


def test_other_agents_fill_what_they_can(tmp_path: Path, write: Write) -> None:
    write(agent="GenericAgent-gpt", task="miniwob.click-test", stats=[{"input_tokens": 5, "cost": 0.0}])
    [table] = [table for table in measured_tables(load_results(tmp_path)) if table.name.startswith("agents")]
    assert table.rows[0][:3] == ("GenericAgent-gpt", 1, 1)
    assert "| n/a |" in table.markdown()


PAPER = runpy.run_path(str(EXPERIMENTS / "paper.py"))


@pytest.mark.parametrize("name", [*PAPER["PAPER_TABLES"], *PAPER["MEASURED"], *PAPER["FIGURES"]])
def test_the_papers_program_runs_on_recorded_results_and_on_gaps(
    recorded: Path, tmp_path: Path, name: str, write: Write, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    gaps = tmp_path / "gaps"
    for folder in [next(recorded.glob(f"*_{study}/*focus*")) for study in "ab"]:
        shutil.copytree(folder, gaps / "study" / folder.name)
    next(gaps.glob("*/*/step_0.pkl.gz")).unlink()
    for results in (recorded, gaps):
        monkeypatch.setattr(sys, "argv", ["paper.py", name, str(results), "--out", str(tmp_path / "out")])
        if name == "table-3":  # no agent of it ran: one line, no table
            with pytest.raises(SystemExit, match="holds no row of table-3"):
                PAPER["main"]()
            continue
        PAPER["main"]()
        said = capsys.readouterr().out
        assert said.strip()
        pictures = [line for line in said.splitlines() if line.endswith(".png")]
        assert all(Path(picture).stat().st_size > 5_000 for picture in pictures)
        assert bool(pictures) <= (name in PAPER["FIGURES"])
    if name == "figure-cost":
        assert "figure_cost_workarena_llm" in said
        assert "scripted backbone: nothing to draw" in said


def test_a_table_of_the_papers_needs_no_results_and_a_figure_does(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["paper.py", "table-4a"])
    PAPER["main"]()
    assert "### Table 4a as published: prompt strategies" in capsys.readouterr().out
    monkeypatch.setattr(sys, "argv", ["paper.py", "figure-3"])
    with pytest.raises(SystemExit):
        PAPER["main"]()
    assert "figure-3 needs a folder of results" in capsys.readouterr().err


def test_a_section_without_content_is_rendered() -> None:
    assert "<h2>Empty</h2>" in render("t", "a", [Section("e", "Empty")])


def test_agents_stand_in_the_order_in_which_one_compares_them(tmp_path: Path, write: Write) -> None:
    names = [
        "generic-bt__scripted",
        "generic-bt-5k__scripted",
        "bm25-50__scripted",
        "bm25-200__scripted",
        "focus-local__scripted",
    ]
    for name in reversed(names):
        write(agent=name, stats=[_step(10, False)])
    assert [row.agent for row in summarise(load_results(tmp_path))] == names


def test_attacks_on_a_script_that_no_page_persuades_have_no_success_rate(tmp_path: Path, write: Write) -> None:
    for backbone in ("scripted", "gpt-4.1"):
        folder = write(agent=f"focus-local__{backbone}", stats=[_step(10, False)])
        with (folder / "exp_args.pkl").open("rb") as file:
            args = pickle.load(file)
        args.env_args.attacks = ("banner",)
        (folder / "exp_args.pkl").write_bytes(pickle.dumps(args))
    tables = {table.name: table for table in measured_tables(load_results(tmp_path)) if "attacks" in table.name}
    [scripted], [model] = (tables[f"attacks_longpage_{kind}"].rows for kind in ("scripted", "llm"))
    assert cell_text(scripted[3]) == "n/a"
    assert model[3] == 0
    assert any("obeys" in note for note in tables["attacks_longpage_scripted"].notes)


def test_no_two_agents_look_the_same_in_a_figure() -> None:
    looks = [(style(index)["color"], style(index)["marker"]) for index in range(64)]
    assert len(set(looks)) == 64
