"""Signals and reuse on recorded runs of real agents: what fires, what is skipped, and what a reused selection misses.

    python experiments/signals_real_runs.py RUNS.jsonl[.gz] [--retriever local] [--half test|tune|all] [--ablate]

Each line of RUNS is a step: run, step, task_id, goal, axtree, action, target_id, action_error. Only consecutive steps
are compared; after a gap the memory starts anew. Templates (task_id without its seed), sorted by name, go in turn to
the half that rules were tuned on and to the half that is reported. A miss is a target that a fresh selection of that
page keeps and the reused one loses. `--ablate` switches off each condition in turn."""

from __future__ import annotations

import argparse
import gzip
import json
import re
import statistics
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args

from focusagent.axtree import AxTree, simplify
from focusagent.models.tokens import count_tokens
from focusagent.observation import drop_inline_text_boxes
from focusagent.retrieval import Query, Retriever, make_retriever
from focusagent.signals import ALL_KINDS, Look, ReuseMode, ReusingRetriever, SignalKind

BASELINE = "never"
Setting = tuple[ReuseMode, frozenset[SignalKind]]
SETTINGS: dict[str, Setting] = {mode: (mode, ALL_KINDS) for mode in get_args(ReuseMode)}
ABLATED: dict[str, Setting] = {f"no {kind}": ("signals", ALL_KINDS - {kind}) for kind in SignalKind}


@dataclass
class Tally:
    """Figures of one mode over pairs of consecutive steps; tokens are o200k of tree text."""

    pairs: int = 0
    looks: Counter[str] = field(default_factory=Counter)
    fired: Counter[str] = field(default_factory=Counter)
    tokens_handed: int = 0
    tokens_incremental: int = 0
    tokens_of_incremental_pages: int = 0
    largest_share: float = 0.0
    misses: list[str] = field(default_factory=list)
    by_template: dict[str, list[bool]] = field(default_factory=dict)


def read(path: Path) -> list[dict[str, Any]]:
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def template(task_id: str) -> str:
    return re.sub(r"(?:__seed|\.)\d+$", "", task_id)


def half_of(steps: list[dict[str, Any]], half: str) -> list[dict[str, Any]]:
    names = sorted({template(step["task_id"]) for step in steps})
    chosen = {"all": names, "tune": names[::2], "test": names[1::2]}[half]
    return [step for step in steps if template(step["task_id"]) in chosen]


def chains(steps: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Runs, cut where a step is missing."""
    chain: list[dict[str, Any]] = []
    for step in sorted(steps, key=lambda step: (step["run"], step["step"])):
        if chain and (step["run"], step["step"]) != (chain[-1]["run"], chain[-1]["step"] + 1):
            yield chain
            chain = []
        chain.append(step)
    if chain:
        yield chain


def queries(chain: list[dict[str, Any]]) -> Iterator[Query]:
    """What the retriever would have been asked at each step; the error is that of the action before."""
    history: list[tuple[str, str]] = []
    error = ""
    for step in chain:
        tree = simplify(AxTree.parse(drop_inline_text_boxes(step["axtree"]))).tree
        yield Query(step["goal"], tree, tuple(history), history[-1][1] if history else "", error)
        history.append(("", step["action"] or ""))
        error = step["action_error"] or ""


def play(chain: list[dict[str, Any]], retriever: Retriever, setting: Setting, tally: Tally) -> None:
    reusing = ReusingRetriever(retriever, *setting)
    for position, (step, query) in enumerate(zip(chain, queries(chain), strict=True)):
        selection = reusing.select(query)
        if position == 0:
            continue
        decision = reusing.decision
        tally.pairs += 1
        tally.looks[decision.look] += 1
        tally.tokens_handed += reusing.tree_tokens
        tally.by_template.setdefault(template(step["task_id"]), []).append(decision.look is not Look.FRESH)
        if decision.signals is not None:
            tally.fired.update({signal.kind for signal in decision.signals.fired})
        if decision.look is Look.INCREMENTAL:
            whole = count_tokens(query.tree.text)
            tally.tokens_incremental += reusing.tree_tokens
            tally.tokens_of_incremental_pages += whole
            tally.largest_share = max(tally.largest_share, reusing.tree_tokens / whole)
        target = query.tree.by_bid.get(step["target_id"] or "", 0)
        if decision.look is not Look.FRESH and target and target not in selection.ranges:
            fresh = retriever.select(replace(query, within=None))
            if target in fresh.ranges:
                tally.misses.append(
                    f"run {step['run']} step {step['step']}: {query.tree.line(target).text.strip()[:90]}"
                )


def report(name: str, tally: Tally, baseline: Tally) -> None:
    pairs = tally.pairs
    looks = {look: tally.looks[look] for look in Look}
    saved = 1 - tally.tokens_handed / baseline.tokens_handed
    quiet = looks[Look.CARRIED] + looks[Look.INCREMENTAL]
    print(
        f"{name:18} carried {looks[Look.CARRIED]:4} ({looks[Look.CARRIED] / pairs:.0%})"
        f"  incremental {looks[Look.INCREMENTAL]:4} ({looks[Look.INCREMENTAL] / pairs:.0%})"
        f"  afresh {looks[Look.FRESH]:4}  carried or incremental {quiet / pairs:.1%}"
        f" (mean of templates {statistics.mean(map(statistics.mean, tally.by_template.values())):.1%})"
        f"  tokens saved {saved:.1%}  misses {len(tally.misses)}"
    )
    if tally.tokens_of_incremental_pages:
        share = tally.tokens_incremental / tally.tokens_of_incremental_pages
        print(f"{'':18} incremental calls send {share:.1%} of their pages' tokens, at most {tally.largest_share:.1%}")
    if tally.fired:
        print(f"{'':18} fired: " + ", ".join(f"{kind} {tally.fired[kind]}" for kind in SignalKind))
    for miss in tally.misses:
        print(f"{'':18} miss: {miss}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=Path)
    parser.add_argument("--retriever", default="local")
    parser.add_argument("--half", choices=("test", "tune", "all"), default="test")
    parser.add_argument("--ablate", action="store_true")
    args = parser.parse_args()
    settings = SETTINGS | (ABLATED if args.ablate else {})
    steps = half_of(read(args.runs), args.half)
    retriever = make_retriever(args.retriever)
    tallies = {name: Tally() for name in settings}
    for chain in chains(steps):
        for name, tally in tallies.items():
            play(chain, retriever, settings[name], tally)
    identical = sum(a["axtree"] == b["axtree"] for chain in chains(steps) for a, b in pairwise(chain))
    pairs = tallies[BASELINE].pairs
    names = {template(step["task_id"]) for step in steps}
    print(f"{args.half} half: {len(names)} templates, {pairs} consecutive pairs, {identical} of identical trees")
    for name, tally in tallies.items():
        report(name, tally, tallies[BASELINE])


if __name__ == "__main__":
    main()
