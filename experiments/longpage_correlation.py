"""Does coverage foretell success? Retrievers on LongPage: what they keep of what was needed, and how agents fare on it.

    focusagent longpage record --out NEEDED.jsonl --tasks 'longpage.*.1k'
    focusagent longpage record --out TARGETS.jsonl --target --tasks 'longpage.*.1k'
    python experiments/longpage_correlation.py play --out EPISODES.jsonl [--jobs 3] [--tasks longpage.shop.buy.1k ...]
    python experiments/longpage_correlation.py table EPISODES.jsonl NEEDED.jsonl TARGETS.jsonl

`play` lets FocusAgent with the scripted backbone play each task with each setting of SETTINGS; episodes that the file
holds already are not played again. `table` prints a row a setting and the rank correlations over the settings; their
95 % intervals come of drawing the task templates anew. The scripted backbone is an instrument: its figures stand beside
no model's."""

from __future__ import annotations

import argparse
import json
import logging
import multiprocessing
import random
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from statistics import fmean, quantiles
from typing import Any

from scipy.stats import spearmanr

from focusagent.coverage.contenders import Contender
from focusagent.coverage.measure import Measured, measure
from focusagent.coverage.steps import read_steps
from focusagent.longpage.names import TaskName

SHARES = (0.05, 0.1, 0.15, 0.25, 0.35)
FIRST = (250, 500, 1_000)
SETTINGS = [
    *(Contender(f"local share={share}", "local", True, {"share": share}) for share in SHARES),
    Contender("local-lean", "local-lean", True),
    *(Contender(f"bm25-{size}", f"bm25-{size}", False) for size in (50, 100, 200, 500)),
    *(Contender(f"first-{tokens}", "first-5k", False, {"tokens": tokens}) for tokens in FIRST),
    Contender("roles", "roles", True),
    Contender("bids", "bids", True),
]
TASKS = (
    "forum.upvote_comment forum.most_discussed shop.remove_line desk.reassign code.resolve_thread shop.filter_products"
    " desk.article_fact code.add_label forum.follow_starter shop.return_order code.close_with_note shop.thank_reviewer"
).split()
DRAWS = 2_000
Shares = Mapping[str, Mapping[str, float]]
"""Setting -> task -> share of its steps or episodes."""


def play(setting: Contender, task: str, seed: int) -> dict[str, Any]:
    """One episode. Runs in a process of its own kind, so everything is imported here."""
    from agentlab.experiments.loop import ExpArgs, ExpResult

    from focusagent.agents.flags import paper_flags
    from focusagent.agents.focus_agent import FocusAgentArgs
    from focusagent.environments import FocusEnvArgs
    from focusagent.longpage.benchmarks import make_benchmark, max_steps
    from focusagent.scripted.model import ScriptedModelArgs

    name = TaskName.parse(task)
    agent = FocusAgentArgs(
        ScriptedModelArgs(policies=("focusagent.longpage",)),
        paper_flags(),
        retriever=setting.retriever,
        retriever_kwargs=dict(setting.kwargs),
        simplify=setting.simplify,
        skip_below=0,
    )
    agent.set_benchmark(make_benchmark("chosen", [name]), demo_mode=False)
    env = FocusEnvArgs(task_name=task, task_seed=seed, max_steps=max_steps(name))
    run = ExpArgs(agent, env, exp_name="episode", save_screenshot=False, logging_level_stdout=logging.ERROR)
    run.enable_debug = False
    with tempfile.TemporaryDirectory() as folder:
        run.prepare(Path(folder))
        run.run()
        summary = ExpResult(run.exp_dir).summary_info
    error = summary.get("err_msg") or ""
    return {
        "setting": setting.name,
        "task": task,
        "seed": seed,
        "success": float(summary.get("cum_reward", 0)),
        "steps": summary.get("n_steps"),
        "error": error[:200],
    }


def play_all(out: Path, tasks: Sequence[str], seed: int, jobs: int) -> None:
    """What is missing in `out`, several at a time, each written as it ends; one that breaks is named, not written."""
    done = {(row["setting"], row["task"], row["seed"]) for row in read_rows(out)} if out.exists() else set()
    left = [(one, task) for task in tasks for one in SETTINGS if (one.name, task, seed) not in done]
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context) as pool, out.open("a", encoding="utf-8") as file:
        for future in as_completed(pool.submit(play, one, task, seed) for one, task in left):
            row = future.result()
            print(f"{row['setting']} {row['task']} {row['success']:g} {row['error']}", flush=True)
            if not row["error"]:
                file.write(json.dumps(row) + "\n")
                file.flush()


def read_rows(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def by_task(pairs: Iterable[tuple[str, float]]) -> dict[str, float]:
    found: dict[str, list[float]] = {}
    for task, value in pairs:
        found.setdefault(task, []).append(value)
    return {task: fmean(values) for task, values in found.items()}


def success(rows: Sequence[Mapping[str, Any]]) -> Shares:
    return {
        one.name: by_task((row["task"], row["success"]) for row in rows if row["setting"] == one.name)
        for one in SETTINGS
    }


def kept(measured: Mapping[str, Sequence[Measured]], value: Callable[[Measured], bool | None]) -> Shares:
    return {
        name: by_task((one.step.template, float(bool(value(one)))) for one in steps) for name, steps in measured.items()
    }


def measured_on(path: Path, tasks: set[str]) -> dict[str, list[Measured]]:
    """Every setting on the recorded steps of the tasks."""
    steps = [step for step in read_steps(path) if step.template in tasks]
    return {one.name: measure(steps, one) for one in SETTINGS}


def correlation(one: Shares, other: Shares, tasks: Sequence[str]) -> float:
    """Spearman's, over settings, of the means over tasks (which may repeat)."""
    pairs = [[fmean(shares[name][task] for task in tasks) for shares in (one, other)] for name in one]
    firsts, seconds = zip(*pairs, strict=True)
    if len(set(firsts)) == 1 or len(set(seconds)) == 1:
        return float("nan")
    return float(spearmanr(firsts, seconds).statistic)


def interval(one: Shares, other: Shares, tasks: Sequence[str]) -> tuple[float, float]:
    """95 %, of drawing as many tasks anew with repetition."""
    draw = random.Random(0)
    drawn = (correlation(one, other, draw.choices(tasks, k=len(tasks))) for _ in range(DRAWS))
    cuts = quantiles([value for value in drawn if value == value], n=40)
    return cuts[0], cuts[-1]


def print_tables(episodes: Path, targets: Path, needed: Path) -> None:
    solved = success(read_rows(episodes))
    on_targets = measured_on(targets, set.intersection(*(set(found) for found in solved.values())))
    on_needed = measured_on(needed, {one.step.template for one in next(iter(on_targets.values()))})
    measures: dict[str, Shares] = {
        "coverage": kept(on_targets, lambda one: one.covered),
        "coverage in context": kept(on_targets, lambda one: one.in_context),
        "all needed lines": kept(on_needed, lambda one: one.covered),
    }
    tasks = sorted(set.intersection(*(set(shares[SETTINGS[0].name]) for shares in (solved, *measures.values()))))
    print(f"{len(tasks)} tasks, one episode each a setting\n")
    print("| retriever | pruned | " + " | ".join([*measures, "success"]) + " |")
    print("|---|---:|" + "---:|" * (len(measures) + 1))
    for setting in SETTINGS:
        pruned = fmean(one.pruning for one in on_needed[setting.name] if one.step.template in tasks)
        means = [fmean(shares[setting.name][task] for task in tasks) for shares in (*measures.values(), solved)]
        print(f"| {setting.name} | {pruned:.2f} | " + " | ".join(f"{value:.2f}" for value in means) + " |")
    print("\n| measure | rank correlation with success | 95 % interval |\n|---|---:|---:|")
    for title, shares in measures.items():
        low, high = interval(shares, solved, tasks)
        print(f"| {title} | {correlation(shares, solved, tasks):.2f} | [{low:.2f}, {high:.2f}] |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    playing = commands.add_parser("play")
    playing.add_argument("--out", type=Path, required=True)
    playing.add_argument("--tasks", nargs="+", default=[f"longpage.{task}.1k" for task in TASKS])
    playing.add_argument("--seed", type=int, default=0)
    playing.add_argument("--jobs", type=int, default=1)
    table = commands.add_parser("table")
    for name in ("episodes", "needed", "targets"):
        table.add_argument(name, type=Path)
    args = parser.parse_args()
    if args.command == "play":
        play_all(args.out, args.tasks, args.seed, args.jobs)
    else:
        print_tables(args.episodes, args.targets, args.needed)


if __name__ == "__main__":
    main()
