"""`focusagent demo`: the same tasks with and without a retriever, in a real browser, with no key and no network."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

from focusagent.errors import UserError
from focusagent.folders import default_root, out_folder
from focusagent.printing import add_row, show, tell
from focusagent.results.frames import Results, load_results
from focusagent.results.ledger import Ledger
from focusagent.results.summary import summarise
from focusagent.results.terminal import number, remarks, share
from focusagent.studies.pools import Backend
from focusagent.studies.progress import live_progress
from focusagent.studies.running import build_study, parts, quiet, run_study

AGENTS = ("generic-bt", "generic-bt-5k", "focus-local")
MINIWOB = ("miniwob.click-test-2", "miniwob.click-dialog")
MAX_TASKS = 10


def run_demo(out: Path | None, jobs: int, console: Console) -> int:
    """Run, show the table and say where to go on. Returns an exit code; raises UserError where no browser starts."""
    require_browser()
    root = out_folder((out or default_root()).absolute()).resolve()
    os.environ["AGENTLAB_EXP_ROOT"] = str(root)
    tell(
        console,
        "The backbone is scripted: hand-written policies in the place of a model, which know only their"
        " prompt.\nSo the figures tell what each agent leaves visible, not how clever a model is.",
        wrap=True,
    )
    with console.status("Preparing the tasks"), quiet():
        study = build_study(_agents(), demo_benchmark(), root, name="demo")
    backend: Backend = "sequential" if jobs == 1 else "joblib"
    total = sum(len(part.exp_args_list) for part in parts(study))
    started, stopped = time.monotonic(), False
    try:
        ledger = Ledger(study.dir)
        with live_progress(ledger, total, console):
            run_study(study, jobs=jobs, backend=backend, on_end=lambda one: ledger.settle(Path(one.exp_dir)))
    except KeyboardInterrupt:
        stopped = True
    with quiet():
        results = load_results(study.dir)
    show(console, demo_table(results))
    for line in closing_lines(results, study.dir, root, time.monotonic() - started, stopped):
        tell(console, line)
    return 130 if stopped else 0


def require_browser() -> None:
    """Raises UserError, naming the command that installs one, where Playwright finds no browser that starts."""
    from focusagent.browser import BrowserError, started_version

    try:
        started_version()
    except BrowserError as error:
        raise UserError(f"no browser starts ({error}); `focusagent install-browser` installs one") from error


def demo_benchmark() -> Any:
    """Every template of the forum at 25k, most of them at 8k too, and a few MiniWoB tasks."""
    from browsergym.experiments.benchmark import DEFAULT_BENCHMARKS, Benchmark

    from focusagent.longpage import tasks_of
    from focusagent.longpage.benchmarks import make_benchmark

    forum = [name for size in ("25k", "8k") for name in tasks_of([size]) if name.site == "forum" and not name.events]
    pages = make_benchmark("demo", forum[: MAX_TASKS - len(MINIWOB)])
    miniwob = DEFAULT_BENCHMARKS["miniwob"](n_repeats=1).subset_from_list(list(MINIWOB))
    metadata = miniwob.task_metadata[miniwob.task_metadata["task_name"].isin(MINIWOB)]
    return Benchmark(
        name="demo",
        high_level_action_set_args=pages.high_level_action_set_args,
        is_multi_tab=True,
        supports_parallel_seeds=True,
        env_args_list=[*pages.env_args_list, *miniwob.env_args_list],
        backends=["miniwob"],
        task_metadata=pd.concat([pages.task_metadata, metadata], ignore_index=True).fillna(""),
    )


def _agents() -> list[Any]:
    from focusagent.agents.named import make_agent
    from focusagent.scripted.model import ScriptedModelArgs

    backbone = ScriptedModelArgs(policies=("focusagent.longpage",))
    return [make_agent(name, backbone) for name in AGENTS]


def demo_table(results: Results) -> Table:
    """Agents side by side; counts beside every share, for a few episodes tell little."""
    table = Table(
        title="Scripted backbone; solved of episodes; the backbone's tokens and seconds a step",
        box=SIMPLE,
        pad_edge=False,
    )
    for column, justify in _COLUMNS:
        table.add_column(column, justify=justify, min_width=len(AGENTS[1]) if column == "agent" else None)
    for row in summarise(results):
        agent = results.episodes[results.episodes["agent"] == row.agent]
        solved = [_solved(agent[agent["benchmark"] == "longpage"], size) for size in ("25k", "8k")]
        solved.append(_solved(agent[agent["benchmark"] == "miniwob"]))
        figures = (share(row.pruning), number(row.backbone_tokens), number(row.seconds, 1))
        add_row(table, [row.agent.partition("__")[0], *solved, *figures])
    return table


_COLUMNS: tuple[tuple[str, Any], ...] = (
    ("agent", "left"),
    ("forum 25k", "right"),
    ("forum 8k", "right"),
    ("MiniWoB", "right"),
    ("pruning", "right"),
    ("tokens", "right"),
    ("seconds", "right"),
)


def _solved(episodes: pd.DataFrame, size: str = "") -> str:
    ended = episodes[episodes["success"].notna() & ((episodes["size"] == size) | (size == ""))]
    return f"{int(ended['success'].sum())}/{len(ended)}"


def closing_lines(results: Results, folder: Path, root: Path, seconds: float, stopped: bool) -> Iterator[str]:
    """Time, what went wrong, and what one can do next."""
    ended = int(results.episodes["success"].notna().sum())
    yield f"{ended} episodes in {seconds:.0f} s{' before it was stopped' if stopped else ''}."
    yield from remarks(results)
    yield f"Results: {folder}"
    yield f"Look at every step, with the kept lines lit: focusagent xray {root}"
    yield f"Tables and figures:                          focusagent report {folder}"
    yield "With a key, a model in the scripted one's place: export OPENAI_API_KEY=..., then"
    yield "  focusagent study configs/longpage_llm.yaml --dry-run     says what that would cost"
