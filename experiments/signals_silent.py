"""Silent changes: a price or a count changes in place and nothing announces it. What does each setting lose?

    python experiments/signals_silent.py RUNS.jsonl[.gz] [--retriever local] [--changes 3] [--seed 0]

RUNS is what signals_longpage.py recorded. Of each two consecutive observations of one page the second is changed: the
last digit of a number becomes another, in a line that stood there before; up to `--changes` lines that a fresh
selection keeps, and as many that it drops, one at a time. Each setting sees the first observation, then the changed
one.

- noticed: the line's change is news to the setting (it asks, or the detector fired on it): a plan would be stopped.
- shown: the line is shown as it now is.
- lost: a fresh selection shows it and the setting does not."""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path

from signals_longpage import questions
from signals_real_runs import ABLATED, SETTINGS, Setting, chains, read

from focusagent.axtree import AxLine, AxTree, LineRanges
from focusagent.axtree.diff import diff
from focusagent.retrieval import Query, Retriever, make_retriever
from focusagent.signals import Decision, Look, ReusingRetriever, SignalKind, Snapshot, detect_signals

NUMBER = re.compile(r"(?:[€$£]\s?|^|\s)\d[\d.,]*(?=\D|$)")


@dataclass(frozen=True)
class Case:
    """`after` is the page with the line `number` changed, `kept` by a fresh selection or not."""

    before: Query
    after: Query
    number: int
    kept: bool


@dataclass
class Tally:
    cases: int = 0
    shown: int = 0
    calls: int = 0
    unnoticed: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)


def other_number(line: AxLine) -> str:
    """The line's text with the last digit of its first number changed."""
    found = NUMBER.search(line.name)
    assert found is not None
    end = len(found.group().rstrip(".,")) + found.start()
    name = f"{line.name[: end - 1]}{(int(line.name[end - 1]) + 1) % 10}{line.name[end:]}"
    return line.text.replace(line.name, name, 1)


def candidates(before: AxTree, after: AxTree) -> list[int]:
    """Lines with a number that are the same in both trees."""
    same = LineRanges.of((copy.new, copy.new + copy.length - 1) for copy in diff(before, after).copies)
    return [n for n in same if NUMBER.search(after.line(n).name) and after.line(n).name in after.line(n).text]


def cases(steps: list[Query], retriever: Retriever, changes: int, draw: random.Random) -> Iterator[Case]:
    for before, after in pairwise(steps):
        found = detect_signals(Snapshot(before.tree), Snapshot(after.tree), after.last_action)
        if after.last_action_error or found.has(SignalKind.URL_TRANSITION):
            continue
        selected = retriever.select(after).ranges
        numbers = candidates(before.tree, after.tree)
        for kept in (True, False):
            those = [number for number in numbers if (number in selected) == kept]
            for number in sorted(draw.sample(those, min(changes, len(those)))):
                lines = after.tree.text.split("\n")
                lines[number - 1] = other_number(after.tree.line(number))
                yield Case(before, replace(after, tree=AxTree.parse("\n".join(lines))), number, kept)


def is_noticed(decision: Decision, number: int) -> bool:
    fired = decision.signals.fired if decision.signals is not None else ()
    return decision.look is not Look.CARRIED or any(number in signal.lines for signal in fired)


def judge(case: Case, setting: Setting, retriever: Retriever, tally: Tally) -> None:
    reusing = ReusingRetriever(retriever, *setting)
    reusing.select(case.before)
    shown = case.number in reusing.select(case.after).ranges
    tally.cases += 1
    tally.calls += reusing.decision.look is not Look.CARRIED
    tally.shown += shown
    text = case.after.tree.line(case.number).text.strip()[:100]
    if not is_noticed(reusing.decision, case.number):
        tally.unnoticed.append(text)
    if not shown and case.number in retriever.select(case.after).ranges:
        tally.lost.append(text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=Path)
    parser.add_argument("--retriever", default="local")
    parser.add_argument("--changes", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    retriever, draw = make_retriever(args.retriever), random.Random(args.seed)
    without = f"no {SignalKind.EXOGENOUS_EVENT}"
    settings = SETTINGS | {without: ABLATED[without]}
    tallies = {(name, kept): Tally() for name in settings for kept in (True, False)}
    for chain in chains(read(args.runs)):
        for case in cases([query for _, query, _ in questions(chain)], retriever, args.changes, draw):
            for name, setting in settings.items():
                judge(case, setting, retriever, tallies[name, case.kept])
    print("| setting | line | changes | noticed | shown | lost | calls |\n|---|---|---|---|---|---|---|")
    for (name, kept), tally in tallies.items():
        print(
            f"| {name} | {'kept' if kept else 'dropped'} | {tally.cases}"
            f" | {tally.cases - len(tally.unnoticed)} | {tally.shown}"
            f" | {len(tally.lost)} | {tally.calls} |"
        )
    print("", *(f"- lost, {name}: {line}" for (name, _), tally in tallies.items() for line in tally.lost), sep="\n")
    for kept in (True, False):
        print(*(f"- not noticed by signals: {line}" for line in tallies["signals", kept].unnoticed), sep="\n")


if __name__ == "__main__":
    main()
