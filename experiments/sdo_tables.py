"""Tables from the steps that sdo_longpage.py wrote: by setting, by kind of task, freshness, and tokens to success.

    python experiments/sdo_tables.py STEPS.jsonl

- calls: the retriever's (for sdo: sub-calls); tree tokens: o200k tokens of tree text handed to it.
- miss: the element that the policy wants is not shown, though a fresh selection of this page would keep it.
- outdated: a planned action other than the one that the policy would take on the page as it is now.
- solved: in brackets those of the baseline's that are lost, and those that are won.
- fidelity: share of the lines that the policy needs that the view of the page holds.
- noticed: steps from an action that the policy would not have taken to the next time the backbone is asked."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from statistics import mean
from typing import Any

Step = dict[str, Any]
BASELINE = "focus, never"


def episodes(steps: Iterable[Step]) -> dict[tuple[str, int], list[Step]]:
    grouped: dict[tuple[str, int], list[Step]] = {}
    for step in steps:
        grouped.setdefault((step["task"], step["seed"]), []).append(step)
    return grouped


def of_common_episodes(steps: Iterable[Step]) -> dict[str, list[Step]]:
    """Steps by setting, of those episodes that every setting has played."""
    by_setting: dict[str, list[Step]] = {}
    for step in steps:
        by_setting.setdefault(step["setting"], []).append(step)
    common = set.intersection(*(set(episodes(steps)) for steps in by_setting.values()))
    return {
        name: [step for step in steps if (step["task"], step["seed"]) in common] for name, steps in by_setting.items()
    }


def solved(steps: Iterable[Step]) -> set[tuple[str, int]]:
    return {key for key, episode in episodes(steps).items() if episode[-1]["reward"] == 1}


def paired(steps: list[Step], base: list[Step]) -> str:
    """How many episodes are solved, and which of the baseline's are lost or won against it."""
    own, before = solved(steps), solved(base)
    return f"{len(own)} of {len(episodes(steps))} (-{len(before - own)} +{len(own - before)})"


def total(steps: Iterable[Step], column: str) -> int:
    return sum(step[column] for step in steps)


def change(now: int, before: int) -> str:
    return f"{now / before - 1:+.0%}" if before else "n/a"


def notice_lags(steps: list[Step]) -> list[int]:
    lags = []
    for episode in episodes(steps).values():
        for index, step in enumerate(episode):
            if step["action"] != step["wanted"]:
                later = (n for n, other in enumerate(episode[index + 1 :], 1) if other["looked"])
                lags.append(next(later, len(episode) - index))
    return lags


def revisits(steps: list[Step]) -> int:
    """Steps on a page that the episode has met before, as it then was."""
    return sum(len(episode) - len({step["state"] for step in episode}) for episode in episodes(steps).values())


def main_table(by_setting: dict[str, list[Step]]) -> None:
    base = by_setting[BASELINE]
    print("| setting | solved | steps | calls | tree tokens | backbone calls | backbone tokens | shown tokens |")
    print("|---|---|---|---|---|---|---|---|")
    for name, steps in by_setting.items():
        calls, tokens = total(steps, "calls"), total(steps, "tree_tokens")
        print(
            f"| {name} | {paired(steps, base)} | {len(steps)}"
            f" | {calls} ({change(calls, total(base, 'calls'))})"
            f" | {tokens} ({change(tokens, total(base, 'tree_tokens'))}) | {sum(step['looked'] for step in steps)}"
            f" | {total(steps, 'backbone_tokens')} | {total(steps, 'shown_tokens')} |"
        )


def quality_table(by_setting: dict[str, list[Step]]) -> None:
    print("\n| setting | misses | outdated | fidelity | off the policy | noticed after | revisits | signals fired |")
    print("|---|---|---|---|---|---|---|---|")
    for name, steps in by_setting.items():
        fired = Counter(kind for step in steps for kind in step["signals"])
        lags = notice_lags(steps)
        needed = total(steps, "needed")
        print(
            f"| {name} | {sum(step['missed'] for step in steps)}"
            f" | {sum(not step['looked'] and step['action'] != step['wanted'] for step in steps)}"
            f" | {total(steps, 'held') / needed if needed else 1:.1%} | {len(lags)}"
            f" | {f'{mean(lags):.1f}' if lags else '-'} | {revisits(steps)}"
            f" | {', '.join(f'{kind} {count}' for kind, count in sorted(fired.items())) or '-'} |"
        )


def kinds_table(by_setting: dict[str, list[Step]]) -> None:
    print("\n| kind | setting | solved | calls | tree tokens |")
    print("|---|---|---|---|---|")
    base = by_setting[BASELINE]
    for kind in sorted({step["kind"] for step in base}):
        before = [step for step in base if step["kind"] == kind]
        for name in (name for name in (BASELINE, "focus, signals", "sdo") if name in by_setting):
            steps = [step for step in by_setting[name] if step["kind"] == kind]
            calls, tokens = total(steps, "calls"), total(steps, "tree_tokens")
            print(
                f"| {kind} | {name} | {paired(steps, before)}"
                f" | {calls} ({change(calls, total(before, 'calls'))})"
                f" | {tokens} ({change(tokens, total(before, 'tree_tokens'))}) |"
            )


def tokens_to_success(by_setting: dict[str, list[Step]]) -> None:
    """Success against the tokens read so far by retriever and backbone together."""
    limits = (5_000, 10_000, 20_000, 50_000, 100_000, 200_000)
    print(f"\n| setting | {' | '.join(f'{limit // 1000}k' for limit in limits)} |")
    print(f"|---|{'---|' * len(limits)}")
    for name, steps in by_setting.items():
        spent = [
            sum(step["tree_tokens"] + step["backbone_tokens"] for step in episode)
            for episode in episodes(steps).values()
            if episode[-1]["reward"] == 1
        ]
        print(f"| {name} | {' | '.join(str(sum(tokens <= limit for tokens in spent)) for limit in limits)} |")


def losses(by_setting: dict[str, list[Step]]) -> None:
    print()
    for name, steps in by_setting.items():
        for task, seed in sorted(solved(by_setting[BASELINE]) - solved(steps)):
            print(f"- lost, {name}: {task} seed {seed}")
        for step in steps:
            if step["missed"] or (not step["looked"] and step["action"] != step["wanted"]):
                what = "miss" if step["missed"] else "outdated"
                where = f"{step['task']} seed {step['seed']} step {step['step']}"
                print(f"- {what}, {name}: {where}: did {step['action'][:60]}, wanted {step['wanted'][:60]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("steps", type=Path)
    steps = [json.loads(line) for line in parser.parse_args().steps.read_text(encoding="utf-8").splitlines()]
    by_setting = of_common_episodes(steps)
    seconds = sum(step["env_seconds"] for step in steps), sum(step["look_seconds"] for step in steps)
    main_table(by_setting)
    quality_table(by_setting)
    kinds_table(by_setting)
    tokens_to_success(by_setting)
    losses(by_setting)
    print(f"\nSeconds in all: {seconds[0]:.0f} acting and extracting trees, {seconds[1]:.0f} in the retriever.")


if __name__ == "__main__":
    main()
