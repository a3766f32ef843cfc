"""Reuse on LongPage with events: what is skipped, what is sent and what is lost, on the same observations for all.

    python experiments/signals_longpage.py --runs RUNS.jsonl [--tasks 'longpage.*.events' ...] [--seeds 1]
    python experiments/signals_longpage.py --runs RUNS.jsonl --replay [--retriever local] [--ablate]

The first form plays each task with its own policy in a browser and records every observation with the lines that the
policy needs; the second replays what was recorded before every setting, so that all see the same events. A miss is a
needed line that a fresh selection of the page keeps and the reused one loses. A call is any question to the retriever,
of the whole page or of a part. First sights (an episode's first page, or another document) need one in any setting."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from signals_real_runs import ABLATED, BASELINE, SETTINGS, Setting, chains, read

from focusagent.axtree import AxTree, LineRanges, simplify
from focusagent.longpage.benchmarks import max_steps
from focusagent.longpage.play import play
from focusagent.longpage.sites import task_names, template_of
from focusagent.models.tokens import count_tokens
from focusagent.retrieval import Query, Retriever, make_retriever
from focusagent.signals import Decision, Look, ReusingRetriever, SignalKind

MAX_RUNS = 400


def record(args: argparse.Namespace) -> None:
    """Append to the file what it does not hold yet."""
    known = {step["run"] for step in read(args.runs)} if args.runs.exists() else set()
    for name in (name for name in task_names() if is_chosen(str(name), args.tasks)):
        for seed in range(args.seeds):
            run = f"{name} seed {seed}"
            if run in known:
                continue
            rows = [
                {
                    "run": run,
                    "step": number,
                    "task_id": str(name),
                    "kind": template_of(name).kind,
                    "goal": step.goal,
                    "axtree": step.axtree,
                    "action": step.plan[0],
                    "action_error": step.error,
                    "needed": [list(pair) for pair in step.needed(MAX_RUNS).lines.pairs],
                    "reward": step.reward,
                }
                for number, step in enumerate(play(name, seed, max_steps(name)))
            ]
            with args.runs.open("a", encoding="utf-8") as file:
                file.writelines(json.dumps(row) + "\n" for row in rows)
            print(f"{run}: reward {rows[-1]['reward']:.0f} in {len(rows)} steps", flush=True)


def is_chosen(task: str, patterns: list[str]) -> bool:
    return any(fnmatch(task, pattern) for pattern in patterns)


@dataclass
class Tally:
    """One setting over all steps; tokens are o200k of tree text, handed to the retriever or `shown` to the backbone."""

    steps: int = 0
    calls: int = 0
    tokens: int = 0
    shown: int = 0
    carried: int = 0
    incremental: int = 0
    first_sights: int = 0
    first_tokens: int = 0
    needed: int = 0
    kept: int = 0
    misses: list[str] = field(default_factory=list)


def replay(chain: list[dict[str, Any]], retriever: Retriever, setting: Setting, tally: Tally) -> None:
    reusing = ReusingRetriever(retriever, *setting)
    for step, query, needed in questions(chain):
        selection = reusing.select(query)
        look = reusing.decision.look
        tally.steps += 1
        tally.calls += look is not Look.CARRIED
        tally.carried += look is Look.CARRIED
        tally.incremental += look is Look.INCREMENTAL
        if is_first_sight(reusing.decision):
            tally.first_sights += 1
            tally.first_tokens += reusing.tree_tokens
        tally.tokens += reusing.tree_tokens
        tally.shown += count_tokens("\n".join(query.tree.line(number).text for number in selection.ranges))
        tally.needed += needed.count
        tally.kept += needed.intersection(selection.ranges).count
        lost = needed.difference(selection.ranges)
        if lost and look is not Look.FRESH:
            fresh = retriever.select(replace(query, within=None)).ranges
            lines = [query.tree.line(number).text.strip()[:70] for number in lost.intersection(fresh)]
            tally.misses += [f"{step['run']} step {step['step']}: {line}" for line in lines]


def is_first_sight(decision: Decision) -> bool:
    return decision.signals is None or decision.signals.has(SignalKind.URL_TRANSITION)


def questions(chain: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], Query, LineRanges]]:
    """What a retriever is asked at each step, and the needed lines as numbers of the simplified tree."""
    history: list[tuple[str, str]] = []
    error = ""
    for step in chain:
        simplified = simplify(AxTree.parse(step["axtree"]))
        number_of = {original: number for number, original in simplified.original.items()}
        wanted = LineRanges.of((first, last) for first, last in step["needed"])
        needed = LineRanges.of_numbers(number_of[number] for number in wanted if number in number_of)
        last_action = history[-1][1] if history else ""
        yield step, Query(step["goal"], simplified.tree, tuple(history), last_action, error), needed
        history.append(("", step["action"]))
        error = step["action_error"] or ""


def report(name: str, tally: Tally, base: Tally) -> None:
    print(
        f"| {name} | {against(tally.calls, base.calls)} | {tally.calls - tally.incremental} | {tally.incremental}"
        f" | {tally.carried} | {against(tally.tokens, base.tokens)} | {against(tally.shown, base.shown)}"
        f" | {tally.kept} of {tally.needed} | {len(tally.misses)} |"
    )


def against(now: int, before: int) -> str:
    return f"{now:,} ({now / before - 1:+.0%})"


def table(runs: list[list[dict[str, Any]]], settings: dict[str, Setting], retriever: Retriever) -> list[str]:
    tallies = {name: Tally() for name in settings}
    for chain in runs:
        for name, tally in tallies.items():
            replay(chain, retriever, settings[name], tally)
    print(
        "| setting | calls | whole-page | incremental | carried | tree tokens | shown tokens | needed kept | misses |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for name, tally in tallies.items():
        report(name, tally, tallies[BASELINE])
    best = tallies["signals"]
    print(f"\n{best.first_sights} of {best.steps} steps are first sights, with {best.first_tokens:,} tokens.")
    return [f"- {name}: {miss}" for name, tally in tallies.items() for miss in tally.misses]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=Path, required=True)
    parser.add_argument("--tasks", nargs="+", default=["longpage.*.events"])
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--replay", action="store_true")
    parser.add_argument("--retriever", default="local")
    parser.add_argument("--ablate", action="store_true")
    args = parser.parse_args()
    if not args.replay:
        record(args)
        return
    retriever = make_retriever(args.retriever)
    runs = [run for run in chains(read(args.runs)) if is_chosen(run[0]["task_id"], args.tasks)]
    print(f"{len(runs)} runs, {sum(map(len, runs))} steps, {sum(run[-1]['reward'] == 1 for run in runs)} solved\n")
    misses = table(runs, SETTINGS | (ABLATED if args.ablate else {}), retriever)
    for kind in sorted({run[0]["kind"] for run in runs}):
        print(f"\n{kind}\n")
        few = {name: SETTINGS[name] for name in (BASELINE, "signals")}
        table([run for run in runs if run[0]["kind"] == kind], few, retriever)
    print("", *misses, sep="\n")


if __name__ == "__main__":
    main()
